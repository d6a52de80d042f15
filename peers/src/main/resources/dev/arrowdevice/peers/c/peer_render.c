/*
 * Values as text, decoded from the buffers alone. Integers and temporal values in decimal, floats as the bits they are
 * (`f4:3f800000`), decimals as `12345e-2`, strings quoted, bytes as x'0a0b', intervals as 1d2ms and 1m2d3ns, lists
 * [a,b], structs {"name":a}, maps <key:value>, unions (type id:value). Dictionaries and runs show the value they stand for.
 */
#include <stdlib.h>
#include <string.h>

#include "peer_decode.h"

static int render_row(struct PeerText* text, const struct Decoder* decoder, int64_t row);

static int render_range(struct PeerText* text, const struct Decoder* child, int64_t from, int64_t count) {
  if (count < 0 || from < 0 || from + count > child->array->length) {
    return peer_fail("elements %lld to %lld of a child of length %lld", (long long)from, (long long)(from + count),
                     (long long)child->array->length);
  }
  peer_text_bytes(text, "[", 1);
  for (int64_t i = 0; i < count; i++) {
    if (i > 0) peer_text_bytes(text, ",", 1);
    if (render_row(text, child, from + i) != 0) return -1;
  }
  peer_text_bytes(text, "]", 1);
  return 0;
}

static void render_bytes(struct PeerText* text, const struct Decoder* decoder, const uint8_t* bytes, int64_t size) {
  if (decoder->type.kind == PK_STRING || decoder->type.kind == PK_STRING_VIEW) {
    peer_text_quoted(text, bytes, size);
    return;
  }
  peer_text_bytes(text, "x'", 2);
  peer_text_hex(text, bytes, size);
  peer_text_bytes(text, "'", 1);
}

static int render_variable(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  const void* offsets = decoder->array->buffers[1];
  int64_t from = peer_read_signed(offsets, physical, decoder->type.width);
  int64_t to = peer_read_signed(offsets, physical + 1, decoder->type.width);
  if (from < 0 || to < from) return peer_fail("offsets %lld, %lld at row %lld", (long long)from, (long long)to, (long long)physical);
  render_bytes(text, decoder, (const uint8_t*)decoder->array->buffers[2] + from, to - from);
  return 0;
}

static int render_view(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  const uint8_t* view = (const uint8_t*)decoder->array->buffers[1] + physical * 16;
  int64_t size = peer_read_signed(view, 0, 4);
  if (size < 0) return peer_fail("a view of %lld bytes", (long long)size);
  if (size <= 12) {
    render_bytes(text, decoder, view + 4, size);
    return 0;
  }
  int64_t variadic = decoder->array->n_buffers - 3;
  int64_t buffer = peer_read_signed(view, 2, 4);
  int64_t from = peer_read_signed(view, 3, 4);
  if (buffer < 0 || buffer >= variadic) return peer_fail("a view into buffer %lld of %lld", (long long)buffer, (long long)variadic);
  int64_t limit = peer_read_signed(decoder->array->buffers[2 + variadic], buffer, 8);
  if (from < 0 || from + size > limit) return peer_fail("a view past its buffer of %lld bytes", (long long)limit);
  const uint8_t* bytes = (const uint8_t*)decoder->array->buffers[2 + buffer] + from;
  if (memcmp(bytes, view + 4, 4) != 0) return peer_fail("the prefix of view %lld differs from its bytes", (long long)physical);
  render_bytes(text, decoder, bytes, size);
  return 0;
}

static int render_struct(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  peer_text_bytes(text, "{", 1);
  for (int64_t i = 0; i < decoder->array->n_children; i++) {
    const char* name = decoder->children[i].schema->name;
    if (i > 0) peer_text_bytes(text, ",", 1);
    peer_text_quoted(text, (const uint8_t*)(name == NULL ? "" : name), name == NULL ? 0 : (int64_t)strlen(name));
    peer_text_bytes(text, ":", 1);
    if (render_row(text, &decoder->children[i], physical) != 0) return -1;
  }
  peer_text_bytes(text, "}", 1);
  return 0;
}

static int render_map(struct PeerText* text, const struct Decoder* decoder, int64_t from, int64_t to) {
  const struct Decoder* entries = &decoder->children[0];
  if (entries->type.kind != PK_STRUCT || entries->array->n_children != 2) return peer_fail("a map without entries of two");
  if (from < 0 || to < from || to > entries->array->length) return peer_fail("map entries %lld to %lld", (long long)from, (long long)to);
  peer_text_bytes(text, "<", 1);
  for (int64_t entry = from; entry < to; entry++) {
    if (entry > from) peer_text_bytes(text, ",", 1);
    if (render_row(text, &entries->children[0], entries->array->offset + entry) != 0) return -1;
    peer_text_bytes(text, ":", 1);
    if (render_row(text, &entries->children[1], entries->array->offset + entry) != 0) return -1;
  }
  peer_text_bytes(text, ">", 1);
  return 0;
}

static int render_list(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  int64_t width = decoder->type.width;
  int64_t from = peer_read_signed(decoder->array->buffers[1], physical, width);
  if (decoder->type.kind == PK_LIST_VIEW) {
    return render_range(text, decoder->children, from, peer_read_signed(decoder->array->buffers[2], physical, width));
  }
  int64_t to = peer_read_signed(decoder->array->buffers[1], physical + 1, width);
  if (decoder->type.kind == PK_MAP) return render_map(text, decoder, from, to);
  return render_range(text, decoder->children, from, to - from);
}

static int render_union(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  int64_t id = peer_read_signed(decoder->array->buffers[0], physical, 1);
  int child = 0;
  while (child < decoder->type.n_ids && decoder->type.ids[child] != id) child++;
  if (child == decoder->type.n_ids) return peer_fail("type id %lld is not one of the union's", (long long)id);
  bool dense = decoder->type.kind == PK_DENSE_UNION;
  int64_t row = dense ? peer_read_signed(decoder->array->buffers[1], physical, 4) : physical;
  peer_text_add(text, "(%lld:", (long long)id);
  if (render_row(text, &decoder->children[child], row) != 0) return -1;
  peer_text_bytes(text, ")", 1);
  return 0;
}

static int render_run(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  const struct Decoder* ends = &decoder->children[0];
  for (int64_t run = 0; run < ends->array->length; run++) {
    if (physical < peer_read_signed(ends->array->buffers[1], ends->array->offset + run, ends->type.width)) {
      return render_row(text, &decoder->children[1], run);
    }
  }
  return peer_fail("row %lld lies behind the last run", (long long)physical);
}

static void render_fixed(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  const struct PeerType* type = &decoder->type;
  const uint8_t* at = (const uint8_t*)decoder->array->buffers[1] + physical * type->width;
  uint64_t bits = 0;
  switch (type->kind) {
    case PK_FLOAT:
      memcpy(&bits, at, (size_t)type->width);
      peer_text_add(text, "f%d:%0*llx", (int)type->width, (int)type->width * 2, (unsigned long long)bits);
      break;
    case PK_DECIMAL:
      peer_decimal_text(text, at, type->width);
      peer_text_add(text, "e%lld", (long long)-type->scale);
      break;
    case PK_DAY_TIME:
      peer_text_add(text, "%lldd%lldms", (long long)peer_read_signed(at, 0, 4), (long long)peer_read_signed(at, 1, 4));
      break;
    case PK_MONTH_DAY_NANO:
      peer_text_add(text, "%lldm%lldd%lldns", (long long)peer_read_signed(at, 0, 4),
                    (long long)peer_read_signed(at, 1, 4), (long long)peer_read_signed(at, 1, 8));
      break;
    case PK_UINT:
      memcpy(&bits, at, (size_t)type->width);
      peer_text_add(text, "%llu", (unsigned long long)bits);
      break;
    case PK_FIXED_BINARY:
      render_bytes(text, decoder, at, type->width);
      break;
    default:
      peer_text_add(text, "%lld", (long long)peer_read_signed(at, 0, type->width));
  }
}

static int64_t read_index(const struct Decoder* decoder, int64_t physical) {
  int64_t width = decoder->type.width;
  if (decoder->type.kind == PK_INT) return peer_read_signed(decoder->array->buffers[1], physical, width);
  int64_t index = 0;
  memcpy(&index, (const uint8_t*)decoder->array->buffers[1] + physical * width, (size_t)width);
  return index;
}

static int render_valid(struct PeerText* text, const struct Decoder* decoder, int64_t physical) {
  if (decoder->dictionary != NULL) return render_row(text, decoder->dictionary, read_index(decoder, physical));
  const uint8_t* bits;
  switch (decoder->type.kind) {
    case PK_BOOL:
      bits = decoder->array->buffers[1];
      peer_text_add(text, "%s", bits[physical / 8] >> (physical % 8) & 1 ? "true" : "false");
      return 0;
    case PK_STRING:
    case PK_BINARY:
      return render_variable(text, decoder, physical);
    case PK_STRING_VIEW:
    case PK_BINARY_VIEW:
      return render_view(text, decoder, physical);
    case PK_LIST:
    case PK_LIST_VIEW:
    case PK_MAP:
      return render_list(text, decoder, physical);
    case PK_FIXED_LIST:
      return render_range(text, decoder->children, physical * decoder->type.list_size, decoder->type.list_size);
    case PK_STRUCT:
      return render_struct(text, decoder, physical);
    case PK_SPARSE_UNION:
    case PK_DENSE_UNION:
      return render_union(text, decoder, physical);
    case PK_RUN_END:
      return render_run(text, decoder, physical);
    default:
      render_fixed(text, decoder, physical);
      return 0;
  }
}

static int render_row(struct PeerText* text, const struct Decoder* decoder, int64_t row) {
  if (row < 0 || row >= decoder->array->length) {
    return peer_fail("row %lld of an array of length %lld", (long long)row, (long long)decoder->array->length);
  }
  int64_t physical = decoder->array->offset + row;
  if (decoder->type.kind == PK_NULL || peer_physical_null(decoder, physical)) {
    peer_text_bytes(text, "null", 4);
    return 0;
  }
  return render_valid(text, decoder, physical);
}

int peer_render_array(const struct ArrowSchema* schema, const struct ArrowArray* array, char** out) {
  struct PeerText text = {0};
  struct Decoder decoder;
  int result = peer_decoder_open(&decoder, schema, array, 0);
  if (result == 0) result = render_range(&text, &decoder, 0, array->length);
  peer_decoder_close(&decoder);
  if (result != 0) free(text.chars);
  *out = result == 0 ? text.chars : NULL;
  return result;
}

uint64_t peer_checksum(const struct ArrowSchema* schema, const struct ArrowArray* array) {
  char* text;
  if (peer_render_array(schema, array, &text) != 0) return 0;
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char* at = text; *at != '\0'; at++) hash = (hash ^ (uint8_t)*at) * 0x100000001b3u;
  peer_text_free(text);
  return hash;
}
