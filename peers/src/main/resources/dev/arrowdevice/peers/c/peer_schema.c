/*
 * Schemas from text and back. One line per schema, parents before children:
 *
 *     <depth> <flags> <format>|<name>|<metadata>
 *
 * The depth counts from 0. A `d` after it marks the dictionary of the nearest schema one level up. Flags are a
 * decimal number. Format and name are escaped (`\p` for a bar, `\n` for a line end, `\\`); a name of `~` is NULL.
 * Metadata is hexadecimal, in the encoding of ArrowSchema.metadata; empty: NULL.
 */
#include <stdlib.h>
#include <string.h>

#include "peer.h"

struct Line {
  int64_t depth;
  int64_t flags;
  int64_t parent; /* index of a line; -1 for the first */
  int64_t n_children;
  bool is_dictionary;
  struct PeerText format, name, metadata;
  struct ArrowSchema* target;
  struct ArrowSchema** slots; /* where its children go */
  int64_t filled;
};

static const char* unescape(const char* text, struct PeerText* out) {
  peer_text_bytes(out, "", 0);
  while (*text != '\0' && *text != '|' && *text != '\n') {
    char byte = *text++;
    if (byte == '\\') {
      byte = *text++;
      if (byte == 'p') byte = '|';
      if (byte == 'n') byte = '\n';
    }
    peer_text_bytes(out, &byte, 1);
  }
  return text;
}

static int nibble(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

static const char* parse_line(const char* text, struct Line* line) {
  char* end;
  line->depth = strtoll(text, &end, 10);
  line->is_dictionary = *end == 'd';
  if (line->is_dictionary) end++;
  line->flags = strtoll(end, &end, 10);
  if (*end++ != ' ') return NULL;
  text = unescape(end, &line->format);
  if (*text++ != '|') return NULL;
  text = unescape(text, &line->name);
  if (*text++ != '|') return NULL;
  peer_text_bytes(&line->metadata, "", 0);
  while (text[0] != '\0' && text[0] != '\n') {
    uint8_t byte = (uint8_t)(nibble(text[0]) << 4 | nibble(text[1]));
    peer_text_bytes(&line->metadata, &byte, 1);
    text += 2;
  }
  return *text == '\n' ? text + 1 : text;
}

static bool link_line(struct Line* lines, int64_t index) {
  lines[index].parent = -1;
  if (index == 0) return lines[0].depth == 0;
  int64_t parent = index - 1;
  while (parent >= 0 && lines[parent].depth != lines[index].depth - 1) parent--;
  if (parent < 0) return false;
  lines[index].parent = parent;
  if (!lines[index].is_dictionary) lines[parent].n_children++;
  return true;
}

static void fill(struct Line* line, int64_t flags, struct Line* lines) {
  struct ArrowSchema* schema = line->target;
  PeerHandle node = peer_node_new(line->parent < 0, flags);
  schema->format = peer_node_bytes(node, line->format.chars, line->format.size + 1);
  bool unnamed = line->name.size == 1 && line->name.chars[0] == '~';
  schema->name = unnamed ? NULL : peer_node_bytes(node, line->name.chars, line->name.size + 1);
  schema->metadata =
      line->metadata.size == 0 ? NULL : peer_node_bytes(node, line->metadata.chars, line->metadata.size);
  schema->flags = line->flags;
  schema->n_children = line->n_children;
  schema->private_data = (void*)node;
  schema->release = peer_release_produced_schema;
  if (line->n_children > 0) {
    line->slots = peer_node_alloc(node, line->n_children * (int64_t)sizeof *line->slots);
    for (int64_t i = 0; i < line->n_children; i++) {
      line->slots[i] = peer_node_alloc(node, sizeof(struct ArrowSchema));
      peer_node_schema_child(node, line->slots[i]);
    }
    schema->children = line->slots;
  }
  if (line->parent < 0) return;
  if (!line->is_dictionary) return;
  lines[line->parent].target->dictionary = schema;
}

/* The struct a line fills: a slot of its parent, which is filled already, or fresh memory of the parent's. */
static struct ArrowSchema* target_of(struct Line* lines, struct Line* line) {
  struct Line* parent = &lines[line->parent];
  if (!line->is_dictionary) return parent->slots[parent->filled++];
  PeerHandle node = (PeerHandle)parent->target->private_data;
  struct ArrowSchema* schema = peer_node_alloc(node, sizeof *schema);
  peer_node_schema_child(node, schema);
  return schema;
}

int peer_produce_schema(const char* spec, int64_t flags, struct ArrowSchema* out) {
  int64_t count = 0;
  for (const char* at = spec; *at != '\0'; at++) count += *at == '\n' || at[1] == '\0';
  struct Line* lines = calloc((size_t)(count > 0 ? count : 1), sizeof *lines);
  const char* at = spec;
  int result = count > 0 ? 0 : peer_fail("an empty schema text");
  for (int64_t i = 0; i < count && result == 0; i++) {
    at = parse_line(at, &lines[i]);
    if (at == NULL || !link_line(lines, i)) result = peer_fail("line %lld of the schema text is malformed", (long long)i);
  }
  memset(out, 0, sizeof *out);
  for (int64_t i = 0; i < count && result == 0; i++) {
    lines[i].target = i == 0 ? out : target_of(lines, &lines[i]);
    fill(&lines[i], flags, lines);
  }
  for (int64_t i = 0; i < count; i++) {
    free(lines[i].format.chars);
    free(lines[i].name.chars);
    free(lines[i].metadata.chars);
  }
  free(lines);
  return result;
}

static void escape(struct PeerText* text, const char* value) {
  for (; *value != '\0'; value++) {
    if (*value == '|') peer_text_bytes(text, "\\p", 2);
    else if (*value == '\n') peer_text_bytes(text, "\\n", 2);
    else if (*value == '\\') peer_text_bytes(text, "\\\\", 2);
    else peer_text_bytes(text, value, 1);
  }
}

static int32_t read_int32(const char* at) {
  int32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static int64_t metadata_size(const char* metadata) {
  if (metadata == NULL) return 0;
  int64_t size = 4;
  for (int32_t pairs = read_int32(metadata); pairs > 0; pairs--) {
    for (int part = 0; part < 2; part++) size += 4 + read_int32(metadata + size);
  }
  return size;
}

static int render(struct PeerText* text, const struct ArrowSchema* schema, int depth, bool is_dictionary) {
  if (schema == NULL) return peer_fail("a schema at depth %d is NULL", depth);
  if (schema->release == NULL) return peer_fail("a schema at depth %d is released", depth);
  if (schema->format == NULL) return peer_fail("a schema at depth %d has no format", depth);
  if (schema->n_children < 0) return peer_fail("a schema at depth %d has a negative number of children", depth);
  if (depth > 64) return peer_fail("more than 64 levels");
  peer_text_add(text, "%d%s %lld ", depth, is_dictionary ? "d" : "", (long long)schema->flags);
  escape(text, schema->format);
  peer_text_bytes(text, "|", 1);
  escape(text, schema->name == NULL ? "~" : schema->name);
  peer_text_bytes(text, "|", 1);
  peer_text_hex(text, (const uint8_t*)schema->metadata, metadata_size(schema->metadata));
  peer_text_bytes(text, "\n", 1);
  for (int64_t i = 0; i < schema->n_children; i++) {
    if (render(text, schema->children[i], depth + 1, false) != 0) return -1;
  }
  return schema->dictionary == NULL ? 0 : render(text, schema->dictionary, depth + 1, true);
}

int peer_render_schema(const struct ArrowSchema* schema, char** out) {
  struct PeerText text = {0};
  peer_text_bytes(&text, "", 0);
  int result = render(&text, schema, 0, false);
  if (result != 0) free(text.chars);
  *out = result == 0 ? text.chars : NULL;
  return result;
}
