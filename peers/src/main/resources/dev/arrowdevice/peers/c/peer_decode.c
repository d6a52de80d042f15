/* Opens arrays for reading. */
#include "peer_decode.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 128

int64_t peer_read_signed(const void* buffer, int64_t index, int64_t width) {
  const uint8_t* at = (const uint8_t*)buffer + index * width;
  int64_t value = 0;
  memcpy(&value, at, (size_t)width);
  int shift = (int)(64 - width * 8);
  return (int64_t)((uint64_t)value << shift) >> shift;
}

bool peer_physical_null(const struct Decoder* decoder, int64_t physical) {
  if (!peer_has_validity(&decoder->type)) return false;
  const uint8_t* bits = decoder->array->buffers[0];
  return bits != NULL && !(bits[physical / 8] >> (physical % 8) & 1);
}

static int check_buffers(const struct Decoder* decoder) {
  const struct ArrowArray* array = decoder->array;
  const char* format = decoder->schema->format;
  int64_t expected = peer_buffer_count(&decoder->type);
  bool fits = peer_is_view(&decoder->type) ? array->n_buffers >= expected : array->n_buffers == expected;
  if (!fits) {
    return peer_fail("'%s' has %lld buffers instead of %lld", format, (long long)array->n_buffers, (long long)expected);
  }
  if (expected > 0 && array->buffers == NULL) return peer_fail("'%s' has no buffers member", format);
  int64_t rows = array->length + array->offset;
  if (rows == 0) return 0;
  int64_t first = peer_has_validity(&decoder->type) ? 1 : 0;
  for (int64_t i = first; i < expected && !peer_is_view(&decoder->type); i++) {
    bool data = (decoder->type.kind == PK_STRING || decoder->type.kind == PK_BINARY) && i == 2;
    bool zero_width = decoder->type.kind == PK_FIXED_BINARY && decoder->type.width == 0;
    if (array->buffers[i] != NULL || zero_width) continue;
    if (data && peer_read_signed(array->buffers[1], rows, decoder->type.width) == 0) continue;
    return peer_fail("'%s' lacks buffer %lld", format, (long long)i);
  }
  if (peer_is_view(&decoder->type) && array->buffers[1] == NULL) return peer_fail("'%s' lacks its views", format);
  return 0;
}

static int64_t expected_children(const struct Decoder* decoder) {
  if (decoder->schema->dictionary != NULL) return 0;
  switch (decoder->type.kind) {
    case PK_LIST:
    case PK_LIST_VIEW:
    case PK_FIXED_LIST:
    case PK_MAP:
      return 1;
    case PK_RUN_END:
      return 2;
    case PK_SPARSE_UNION:
    case PK_DENSE_UNION:
      return decoder->type.n_ids;
    case PK_STRUCT:
      return decoder->schema->n_children;
    default:
      return 0;
  }
}

static int open_children(struct Decoder* decoder, int depth) {
  int64_t count = expected_children(decoder);
  if (decoder->schema->n_children != count || decoder->array->n_children != count) {
    return peer_fail("'%s' has %lld children in its schema and %lld in its array instead of %lld",
                     decoder->schema->format, (long long)decoder->schema->n_children,
                     (long long)decoder->array->n_children, (long long)count);
  }
  if (count == 0) return 0;
  decoder->children = calloc((size_t)count, sizeof *decoder->children);
  for (int64_t i = 0; i < count; i++) {
    if (peer_decoder_open(&decoder->children[i], decoder->schema->children[i], decoder->array->children[i],
                          depth + 1) != 0) {
      return -1;
    }
  }
  return 0;
}

static int open_dictionary(struct Decoder* decoder, int depth) {
  bool in_schema = decoder->schema->dictionary != NULL;
  bool in_array = decoder->array->dictionary != NULL;
  if (in_schema != in_array) return peer_fail("'%s': only one of schema and array has a dictionary", decoder->schema->format);
  if (!in_schema) return 0;
  decoder->dictionary = calloc(1, sizeof *decoder->dictionary);
  return peer_decoder_open(decoder->dictionary, decoder->schema->dictionary, decoder->array->dictionary, depth + 1);
}

int peer_decoder_open(struct Decoder* decoder, const struct ArrowSchema* schema, const struct ArrowArray* array,
                      int depth) {
  memset(decoder, 0, sizeof *decoder);
  if (depth > MAX_DEPTH) return peer_fail("more than %d levels", MAX_DEPTH);
  if (schema == NULL || schema->release == NULL) return peer_fail("a schema at depth %d is released or missing", depth);
  if (array == NULL || array->release == NULL) return peer_fail("an array at depth %d is released or missing", depth);
  decoder->schema = schema;
  decoder->array = array;
  if (!peer_parse_format(schema->format, &decoder->type)) return -1;
  if (array->length < 0 || array->offset < 0) return peer_fail("negative length or offset at depth %d", depth);
  if (check_buffers(decoder) != 0 || open_children(decoder, depth) != 0) return -1;
  return open_dictionary(decoder, depth);
}

void peer_decoder_close(struct Decoder* decoder) {
  for (int64_t i = 0; decoder->children != NULL && i < decoder->array->n_children; i++) {
    peer_decoder_close(&decoder->children[i]);
  }
  if (decoder->dictionary != NULL) peer_decoder_close(decoder->dictionary);
  free(decoder->children);
  free(decoder->dictionary);
}
