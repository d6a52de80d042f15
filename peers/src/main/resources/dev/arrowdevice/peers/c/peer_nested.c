/* Produces variable-size, view, nested and dictionary arrays. */
#include <stdlib.h>
#include <string.h>

#include "peer_produce.h"

#define DICTIONARY_SIZE 5
#define LONGEST 64
#define INLINE_BYTES 12

static void put(uint8_t* buffer, int64_t index, int64_t width, int64_t value) {
  memcpy(buffer + index * width, &value, (size_t)width);
}

/* The offsets buffer; an empty array may go without, see PEER_NO_EMPTY_OFFSETS. */
static uint8_t* offsets_buffer(struct Build* build) {
  if (build->rows == 0 && (build->options->flags & PEER_NO_EMPTY_OFFSETS)) return NULL;
  return peer_node_buffer(build->node, (build->rows + 1) * build->type.width);
}

int peer_build_variable(struct Build* build) {
  uint8_t value[LONGEST];
  uint8_t* offsets = offsets_buffer(build);
  build->out->buffers[1] = offsets;
  int64_t total = build->options->first_offset;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    put(offsets, physical, build->type.width, total);
    total += peer_bytes_value(&build->type, build->options, physical - build->offset, value);
  }
  if (offsets != NULL) put(offsets, build->rows, build->type.width, total);
  uint8_t* data = peer_node_buffer(build->node, total);
  build->out->buffers[2] = data;
  int64_t at = build->options->first_offset;
  if (at > 0) memset(data, '?', (size_t)at);
  for (int64_t physical = 0; physical < build->rows; physical++) {
    int64_t size = peer_bytes_value(&build->type, build->options, physical - build->offset, value);
    memcpy(data + at, value, (size_t)size);
    at += size;
  }
  return 0;
}

/* Long values go to two data buffers in turn. */
int peer_build_view(struct Build* build) {
  uint8_t value[LONGEST];
  int64_t sizes[2] = {0, 0};
  int64_t longs = 0;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    int64_t size = peer_bytes_value(&build->type, build->options, physical - build->offset, value);
    if (size > INLINE_BYTES) sizes[longs++ % 2] += size;
  }
  int64_t variadic = longs > 1 ? 2 : longs;
  peer_set_buffers(build, 2 + variadic + 1);
  uint8_t* views = peer_node_buffer(build->node, build->rows * 16);
  uint8_t* data[2] = {NULL, NULL};
  build->out->buffers[1] = views;
  for (int64_t i = 0; i < variadic; i++) build->out->buffers[2 + i] = data[i] = peer_node_buffer(build->node, sizes[i]);
  uint8_t* variadic_sizes = peer_node_buffer(build->node, variadic * 8);
  if (variadic > 0) memcpy(variadic_sizes, sizes, (size_t)variadic * 8);
  build->out->buffers[2 + variadic] = variadic_sizes;
  int64_t used[2] = {0, 0};
  longs = 0;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    int64_t size = peer_bytes_value(&build->type, build->options, physical - build->offset, value);
    uint8_t* view = views + physical * 16;
    put(view, 0, 4, size);
    if (size <= INLINE_BYTES) {
      memcpy(view + 4, value, (size_t)size);
      continue;
    }
    int64_t buffer = longs++ % 2;
    memcpy(view + 4, value, 4);
    put(view, 2, 4, buffer);
    put(view, 3, 4, used[buffer]);
    memcpy(data[buffer] + used[buffer], value, (size_t)size);
    used[buffer] += size;
  }
  return 0;
}

int peer_prepare_children(struct Build* build, int64_t count) {
  if (build->schema->n_children != count) return peer_fail("'%s' needs %lld children", build->schema->format, (long long)count);
  build->out->n_children = count;
  if (count == 0) return 0;
  build->out->children = peer_node_alloc(build->node, count * (int64_t)sizeof(void*));
  for (int64_t i = 0; i < count; i++) {
    build->out->children[i] = peer_node_alloc(build->node, sizeof(struct ArrowArray));
    peer_node_array_child(build->node, build->out->children[i]);
  }
  return 0;
}

static int child(struct Build* build, int64_t index, int64_t length) {
  return peer_build(build->schema->children[index], build->options, false, length, build->out->children[index]);
}

/* Lists and maps: row i has i mod 4 elements, null rows too. */
static int build_list(struct Build* build) {
  if (peer_prepare_children(build, 1) != 0) return -1;
  uint8_t* offsets = offsets_buffer(build);
  build->out->buffers[1] = offsets;
  int64_t total = build->options->first_offset;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    put(offsets, physical, build->type.width, total);
    total += peer_mod(physical - build->offset, 4);
  }
  if (offsets != NULL) put(offsets, build->rows, build->type.width, total);
  return child(build, 0, total);
}

/* Rows of i mod 4 elements that lie in the child in reverse order. */
static int build_list_view(struct Build* build) {
  if (peer_prepare_children(build, 1) != 0) return -1;
  int64_t total = 0;
  for (int64_t physical = 0; physical < build->rows; physical++) total += peer_mod(physical - build->offset, 4);
  uint8_t* offsets = peer_node_buffer(build->node, build->rows * build->type.width);
  uint8_t* sizes = peer_node_buffer(build->node, build->rows * build->type.width);
  build->out->buffers[1] = offsets;
  build->out->buffers[2] = sizes;
  int64_t at = total;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    int64_t size = peer_mod(physical - build->offset, 4);
    at -= size;
    put(offsets, physical, build->type.width, at);
    put(sizes, physical, build->type.width, size);
  }
  return child(build, 0, total);
}

static int build_struct(struct Build* build) {
  if (peer_prepare_children(build, build->schema->n_children) != 0) return -1;
  for (int64_t i = 0; i < build->schema->n_children; i++) {
    if (child(build, i, build->rows) != 0) return -1;
  }
  return 0;
}

/* Row i is of child i mod n. */
static int build_union(struct Build* build, bool dense) {
  int64_t n = build->type.n_ids;
  if (peer_prepare_children(build, n) != 0) return -1;
  int64_t counts[128] = {0};
  uint8_t* ids = peer_node_buffer(build->node, build->rows);
  uint8_t* offsets = dense ? peer_node_buffer(build->node, build->rows * 4) : NULL;
  build->out->buffers[0] = ids;
  if (dense) build->out->buffers[1] = offsets;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    int64_t which = peer_mod(physical - build->offset, n);
    ids[physical] = (uint8_t)build->type.ids[which];
    if (dense) put(offsets, physical, 4, counts[which]);
    counts[which]++;
  }
  for (int64_t i = 0; i < n; i++) {
    if (child(build, i, dense ? counts[i] : build->rows) != 0) return -1;
  }
  return 0;
}

/* Runs of 1, 2, 3, 1, 2, 3, … rows; the last one may reach beyond the array. */
static int build_run_end(struct Build* build) {
  if (peer_prepare_children(build, 2) != 0) return -1;
  int64_t* ends = calloc((size_t)build->rows + 1, sizeof *ends);
  int64_t runs = 0;
  for (int64_t end = 0; end < build->rows; runs++) {
    end += 1 + runs % 3;
    ends[runs] = end;
  }
  int result = peer_build_integers(build->schema->children[0], build->options, ends, runs, build->out->children[0]);
  free(ends);
  return result != 0 ? result : child(build, 1, runs);
}

int peer_build_nested(struct Build* build) {
  switch (build->type.kind) {
    case PK_LIST:
    case PK_MAP:
      return build_list(build);
    case PK_LIST_VIEW:
      return build_list_view(build);
    case PK_FIXED_LIST:
      if (peer_prepare_children(build, 1) != 0) return -1;
      return child(build, 0, build->rows * build->type.list_size);
    case PK_STRUCT:
      return build_struct(build);
    case PK_SPARSE_UNION:
    case PK_DENSE_UNION:
      return build_union(build, build->type.kind == PK_DENSE_UNION);
    default:
      return build_run_end(build);
  }
}

/* Index i mod 5 into a dictionary of five values. */
int peer_build_dictionary(struct Build* build) {
  if (build->type.kind != PK_INT && build->type.kind != PK_UINT) return peer_fail("dictionary indices must be integers");
  uint8_t* indices = peer_node_buffer(build->node, build->rows * build->type.width);
  build->out->buffers[1] = indices;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    bool garbage = peer_row_is_garbage(build, physical);
    int64_t index = garbage ? 0x6B6B6B6B6B6B6B6B : peer_mod(physical - build->offset, DICTIONARY_SIZE);
    put(indices, physical, build->type.width, index);
  }
  struct ArrowArray* dictionary = peer_node_alloc(build->node, sizeof *dictionary);
  peer_node_array_child(build->node, dictionary);
  build->out->dictionary = dictionary;
  return peer_build(build->schema->dictionary, build->options, false, DICTIONARY_SIZE, dictionary);
}
