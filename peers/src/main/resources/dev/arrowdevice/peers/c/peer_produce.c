/* Produces arrays for a schema: the frame, the validity and the fixed-width types. */
#include <string.h>

#include "peer_produce.h"

#define GARBAGE 0xA5

static void set_bit(uint8_t* bits, int64_t index) { bits[index / 8] |= (uint8_t)(1 << (index % 8)); }

bool peer_row_is_null(const struct Build* build, int64_t row) {
  if (!build->nulls || row < 0 || row >= build->length) return false;
  return peer_mod(row, build->options->null_every) == build->options->null_every - 1;
}

bool peer_row_is_garbage(const struct Build* build, int64_t physical) {
  return (build->options->flags & PEER_GARBAGE_NULLS) && peer_row_is_null(build, physical - build->offset);
}

/* Rows outside the array get the opposite of what they would have inside: mostly null. */
static bool validity_bit(const struct Build* build, int64_t physical) {
  int64_t row = physical - build->offset;
  if (row >= 0 && row < build->length) return !peer_row_is_null(build, row);
  return peer_mod(row, 7) == 0;
}

static void write_validity(struct Build* build) {
  bool wanted = build->nulls || (build->options->flags & PEER_ALL_VALID_BITMAP);
  if (!wanted || !peer_has_validity(&build->type)) return;
  uint8_t* bits = peer_node_buffer(build->node, (build->rows + 7) / 8);
  build->out->buffers[0] = bits;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    if (validity_bit(build, physical)) set_bit(bits, physical);
  }
}

static int64_t null_count(const struct Build* build) {
  if (build->type.kind == PK_NULL) return build->length;
  if (!peer_has_validity(&build->type)) return 0;
  if (build->options->flags & PEER_UNKNOWN_NULL_COUNT) return -1;
  int64_t count = 0;
  for (int64_t row = 0; row < build->length; row++) count += peer_row_is_null(build, row);
  return count;
}

int peer_set_buffers(struct Build* build, int64_t count) {
  build->out->n_buffers = count;
  if (count > 0) build->out->buffers = peer_node_alloc(build->node, count * (int64_t)sizeof(void*));
  return 0;
}

static int build_bool(struct Build* build) {
  uint8_t* bits = peer_node_buffer(build->node, (build->rows + 7) / 8);
  build->out->buffers[1] = bits;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    if (peer_mod(physical - build->offset, 3) == 0) set_bit(bits, physical);
  }
  return 0;
}

static int build_fixed(struct Build* build) {
  int64_t width = build->type.width;
  uint8_t* values = peer_node_buffer(build->node, build->rows * width);
  build->out->buffers[1] = values;
  for (int64_t physical = 0; physical < build->rows; physical++) {
    if (peer_row_is_garbage(build, physical)) {
      memset(values + physical * width, GARBAGE, (size_t)width);
    } else {
      peer_fixed_value(&build->type, build->options, physical - build->offset, values + physical * width);
    }
  }
  return 0;
}

static int build_by_kind(struct Build* build) {
  if (build->schema->dictionary != NULL) return peer_build_dictionary(build);
  switch (build->type.kind) {
    case PK_NULL:
      return 0;
    case PK_BOOL:
      return build_bool(build);
    case PK_STRING:
    case PK_BINARY:
      return peer_build_variable(build);
    case PK_STRING_VIEW:
    case PK_BINARY_VIEW:
      return peer_build_view(build);
    case PK_INT:
    case PK_UINT:
    case PK_FLOAT:
    case PK_DECIMAL:
    case PK_FIXED_BINARY:
    case PK_DAY_TIME:
    case PK_MONTH_DAY_NANO:
      return build_fixed(build);
    default:
      return peer_build_nested(build);
  }
}

static int begin(struct Build* build, const struct ArrowSchema* schema, const struct PeerOptions* options, bool root,
                 int64_t length, struct ArrowArray* out) {
  memset(build, 0, sizeof *build);
  memset(out, 0, sizeof *out);
  if (schema == NULL || schema->release == NULL) return peer_fail("the schema is released");
  if (!peer_parse_format(schema->format, &build->type)) return -1;
  build->schema = schema;
  build->options = options;
  build->out = out;
  build->length = length;
  build->offset = root ? options->offset : options->child_offset;
  build->rows = build->offset + length + options->tail;
  build->nulls = options->null_every > 0 && (schema->flags & ARROW_FLAG_NULLABLE) && peer_has_validity(&build->type);
  build->node = peer_node_new(root, options->flags);
  out->private_data = (void*)build->node;
  out->release = peer_release_produced_array;
  return 0;
}

int peer_build(const struct ArrowSchema* schema, const struct PeerOptions* options, bool root, int64_t length,
               struct ArrowArray* out) {
  struct Build build;
  if (begin(&build, schema, options, root, length, out) != 0) return -1;
  out->length = length;
  out->offset = build.offset;
  out->null_count = null_count(&build);
  if (!peer_is_view(&build.type)) peer_set_buffers(&build, peer_buffer_count(&build.type));
  int result = build_by_kind(&build);
  if (result == 0) write_validity(&build);
  if (result != 0 && root) out->release(out);
  return result;
}

int peer_build_integers(const struct ArrowSchema* schema, const struct PeerOptions* options, const int64_t* values,
                        int64_t count, struct ArrowArray* out) {
  struct Build build;
  struct PeerOptions plain = *options;
  plain.tail = 0;
  if (begin(&build, schema, &plain, false, count, out) != 0) return -1;
  build.out->length = count;
  build.out->offset = build.offset;
  peer_set_buffers(&build, 2);
  int64_t width = build.type.width;
  uint8_t* data = peer_node_buffer(build.node, build.rows * width);
  for (int64_t i = 0; i < count; i++) memcpy(data + (build.offset + i) * width, values + i, (size_t)width);
  build.out->buffers[1] = data;
  return 0;
}

int peer_produce_array(const struct ArrowSchema* schema, const struct PeerOptions* options, struct ArrowArray* out) {
  return peer_build(schema, options, true, options->length, out);
}

int peer_produce_device_array(const struct ArrowSchema* schema, const struct PeerOptions* options,
                              struct ArrowDeviceArray* out) {
  memset(out, 0, sizeof *out);
  out->device_id = -1;
  out->device_type = ARROW_DEVICE_CPU;
  return peer_produce_array(schema, options, &out->array);
}

int peer_produce_deep(int64_t depth, struct ArrowSchema* schema, struct ArrowArray* array) {
  struct ArrowSchema* inner_schema = schema;
  struct ArrowArray* inner_array = array;
  for (int64_t level = 0; level <= depth; level++) {
    bool leaf = level == depth;
    PeerHandle schema_node = peer_node_new(level == 0, 0);
    PeerHandle array_node = peer_node_new(level == 0, 0);
    memset(inner_schema, 0, sizeof *inner_schema);
    memset(inner_array, 0, sizeof *inner_array);
    inner_schema->format = leaf ? "i" : "+s";
    inner_schema->name = "deep";
    inner_schema->release = peer_release_produced_schema;
    inner_schema->private_data = (void*)schema_node;
    inner_array->length = 1;
    inner_array->n_buffers = leaf ? 2 : 1;
    inner_array->buffers = peer_node_alloc(array_node, 2 * sizeof(void*));
    inner_array->release = peer_release_produced_array;
    inner_array->private_data = (void*)array_node;
    if (leaf) {
      inner_array->buffers[1] = peer_node_buffer(array_node, 4);
      break;
    }
    inner_schema->n_children = 1;
    inner_schema->children = peer_node_alloc(schema_node, sizeof(void*));
    inner_schema->children[0] = peer_node_alloc(schema_node, sizeof *inner_schema);
    peer_node_schema_child(schema_node, inner_schema->children[0]);
    inner_array->n_children = 1;
    inner_array->children = peer_node_alloc(array_node, sizeof(void*));
    inner_array->children[0] = peer_node_alloc(array_node, sizeof *inner_array);
    peer_node_array_child(array_node, inner_array->children[0]);
    inner_schema = inner_schema->children[0];
    inner_array = inner_array->children[0];
  }
  return 0;
}
