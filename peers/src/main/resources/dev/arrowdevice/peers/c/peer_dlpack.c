/*
 * DLPack both ways, both structs. A produced tensor and its memory belong to a node, which the deleter frees. The
 * peer counts the calls, so that tests see a deleter that was not called, or called twice.
 */
#include <stdlib.h>
#include <string.h>

#include "dlpack_abi.h"
#include "peer.h"

#define MAX_RANK 8

/* Mirrored by PeerTensor.java. */
struct PeerTensor {
  int64_t versioned;
  int64_t device_type;
  int64_t device_id;
  int64_t code;
  int64_t bits;
  int64_t lanes;
  int64_t flags;
  int64_t byte_offset;
  int64_t elements;     /* in the memory: element k has the value k */
  int64_t null_strides;
  int64_t rank;
  int64_t shape[MAX_RANK];
  int64_t strides[MAX_RANK];
};

PEER_API int peer_dlpack_produce(const struct PeerTensor* what, void** out);
PEER_API int peer_dlpack_render(const void* tensor, int64_t versioned, char** out);
PEER_API void peer_dlpack_delete(void* tensor, int64_t versioned);
PEER_API int peer_dlpack_layout(char** out);

static void delete_legacy(DLManagedTensor* self) { peer_node_release((PeerHandle)self->manager_ctx); }

static void delete_versioned(DLManagedTensorVersioned* self) { peer_node_release((PeerHandle)self->manager_ctx); }

static void put(uint8_t* at, int64_t code, int64_t bytes, int64_t value) {
  float single = (float)value;
  double both = (double)value;
  if (code == 2 && bytes == 4) memcpy(at, &single, 4);
  else if (code == 2 && bytes == 8) memcpy(at, &both, 8);
  else memcpy(at, &value, (size_t)(bytes > 8 ? 8 : bytes));
}

int peer_dlpack_produce(const struct PeerTensor* what, void** out) {
  if (what->rank < 0 || what->rank > MAX_RANK) return peer_fail("a tensor of %lld dimensions", (long long)what->rank);
  PeerHandle node = peer_node_new(true, 0);
  int64_t bytes = what->bits * what->lanes / 8;
  if (bytes == 0) bytes = 1;
  uint8_t* memory = peer_node_alloc(node, what->byte_offset + what->elements * bytes + 1);
  for (int64_t i = 0; i < what->elements; i++) put(memory + what->byte_offset + i * bytes, what->code, bytes, i);
  int64_t* numbers = peer_node_alloc(node, 2 * MAX_RANK * (int64_t)sizeof(int64_t));
  memcpy(numbers, what->shape, sizeof what->shape);
  memcpy(numbers + MAX_RANK, what->strides, sizeof what->strides);
  DLTensor tensor = {
      .data = what->elements == 0 ? NULL : memory,
      .device = {(int32_t)what->device_type, (int32_t)what->device_id},
      .ndim = (int32_t)what->rank,
      .dtype = {(uint8_t)what->code, (uint8_t)what->bits, (uint16_t)what->lanes},
      .shape = what->rank == 0 ? NULL : numbers,
      .strides = what->null_strides ? NULL : numbers + MAX_RANK,
      .byte_offset = (uint64_t)what->byte_offset,
  };
  if (what->versioned) {
    DLManagedTensorVersioned* managed = peer_node_alloc(node, (int64_t)sizeof *managed);
    *managed = (DLManagedTensorVersioned){
        .version = {1, 1}, .manager_ctx = (void*)node, .deleter = delete_versioned,
        .flags = (uint64_t)what->flags, .dl_tensor = tensor};
    *out = managed;
  } else {
    DLManagedTensor* managed = peer_node_alloc(node, (int64_t)sizeof *managed);
    *managed = (DLManagedTensor){.dl_tensor = tensor, .manager_ctx = (void*)node, .deleter = delete_legacy};
    *out = managed;
  }
  return 0;
}

static void render_value(struct PeerText* text, const DLDataType* type, const uint8_t* at) {
  int64_t whole = 0;
  float single;
  double both;
  if (type->code == 2 && type->bits == 32) {
    memcpy(&single, at, 4);
    peer_text_add(text, "%g", (double)single);
  } else if (type->code == 2 && type->bits == 64) {
    memcpy(&both, at, 8);
    peer_text_add(text, "%g", both);
  } else {
    int shift = 64 - type->bits;
    memcpy(&whole, at, type->bits / 8);
    if (type->code == 0) whole = (int64_t)((uint64_t)whole << shift) >> shift;
    peer_text_add(text, "%lld", (long long)whole);
  }
}

static void render_dimension(struct PeerText* text, const DLTensor* tensor, int dimension, const uint8_t* at) {
  if (dimension == tensor->ndim) {
    render_value(text, &tensor->dtype, at);
    return;
  }
  int64_t bytes = tensor->dtype.bits / 8;
  peer_text_add(text, "[");
  for (int64_t i = 0; i < tensor->shape[dimension]; i++) {
    if (i > 0) peer_text_add(text, ", ");
    render_dimension(text, tensor, dimension + 1, at + i * tensor->strides[dimension] * bytes);
  }
  peer_text_add(text, "]");
}

/* What a consumer sees. The strides must not be NULL (DLPack 1.2). Values of host memory only. */
int peer_dlpack_render(const void* address, int64_t versioned, char** out) {
  const DLManagedTensorVersioned* managed = address;
  const DLTensor* tensor = versioned ? &managed->dl_tensor : &((const DLManagedTensor*)address)->dl_tensor;
  if (versioned && managed->version.major != 1) return peer_fail("major version %u", managed->version.major);
  if (tensor->ndim > 0 && (tensor->shape == NULL || tensor->strides == NULL)) return peer_fail("NULL shape or strides");
  struct PeerText text = {0};
  if (versioned) peer_text_add(&text, "flags %llu ", (unsigned long long)managed->flags);
  peer_text_add(&text, "device %d:%d type %d.%d.%d ", tensor->device.device_type, tensor->device.device_id,
                tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes);
  if (tensor->device.device_type == 1 || tensor->device.device_type == 3) {
    render_dimension(&text, tensor, 0, (const uint8_t*)tensor->data + tensor->byte_offset);
  } else {
    peer_text_add(&text, "at %p", tensor->data);
  }
  *out = text.chars;
  return 0;
}

void peer_dlpack_delete(void* address, int64_t versioned) {
  if (versioned) {
    DLManagedTensorVersioned* managed = address;
    if (managed->deleter != NULL) managed->deleter(managed);
  } else {
    DLManagedTensor* managed = address;
    if (managed->deleter != NULL) managed->deleter(managed);
  }
}

#define SIZE(type) peer_text_add(&text, "%s %zu\n", #type, sizeof(type))
#define MEMBER(type, member) peer_text_add(&text, "%s.%s %zu\n", #type, #member, offsetof(type, member))

int peer_dlpack_layout(char** out) {
  struct PeerText text = {0};
  SIZE(DLTensor);
  MEMBER(DLTensor, data);
  MEMBER(DLTensor, device.device_type);
  MEMBER(DLTensor, device.device_id);
  MEMBER(DLTensor, ndim);
  MEMBER(DLTensor, dtype.code);
  MEMBER(DLTensor, dtype.bits);
  MEMBER(DLTensor, dtype.lanes);
  MEMBER(DLTensor, shape);
  MEMBER(DLTensor, strides);
  MEMBER(DLTensor, byte_offset);
  SIZE(DLManagedTensor);
  MEMBER(DLManagedTensor, dl_tensor);
  MEMBER(DLManagedTensor, manager_ctx);
  MEMBER(DLManagedTensor, deleter);
  SIZE(DLManagedTensorVersioned);
  MEMBER(DLManagedTensorVersioned, version.major);
  MEMBER(DLManagedTensorVersioned, version.minor);
  MEMBER(DLManagedTensorVersioned, manager_ctx);
  MEMBER(DLManagedTensorVersioned, deleter);
  MEMBER(DLManagedTensorVersioned, flags);
  MEMBER(DLManagedTensorVersioned, dl_tensor);
  *out = text.chars;
  return 0;
}
