/* Memory, copies and fills. The synchronous ones go through the legacy default stream and wait. */
#include <inttypes.h>

#include "hip_api.h"

#define NOW SIM_LEGACY_STREAM, true
#define HOST_FLAGS 0xE0000007u
#define ATTACH_GLOBAL 1u
#define ATTACH_HOST 2u

#if SIM_HIP_VERSION >= 6
enum { TYPE_UNREGISTERED = 0, TYPE_HOST = 1, TYPE_DEVICE = 2, TYPE_MANAGED = 3 };
#else
enum { TYPE_HOST = 0, TYPE_DEVICE = 1, TYPE_MANAGED = TYPE_DEVICE };
#endif

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

static int allocate(enum SimKind kind, uint64_t bytes, hipPointer* out) {
  struct SimAllocation* allocation;
  if (bytes == 0) {
    *out = 0;
    return SIM_OK;
  }
  int code = sim_allocate(kind, sim_face_device(), bytes, &allocation);
  if (code == SIM_OK) *out = allocation->base;
  return code;
}

HIP_API hipMalloc(hipPointer* out, size_t bytes) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(allocate(SIM_DEVICE, bytes, out));
}

HIP_API hipFree(hipPointer address) {
  SIM_CALL(HIP_GIVES_BACK);
  if (address == 0) return sim_leave(SIM_OK);
  sim_await_implicitly();
  return sim_leave(sim_free(address, SIM_KIND(SIM_DEVICE) | SIM_KIND(SIM_POOL) | SIM_KIND(SIM_MANAGED)));
}

HIP_API hipHostMalloc(hipPointer* out, size_t bytes, unsigned flags) {
  SIM_CALL(HIP_DEVICE);
  if (flags & ~HOST_FLAGS) return sim_leave(SIM_INVALID_VALUE);
  sim_await_implicitly();
  return sim_leave(allocate(SIM_PINNED, bytes, out));
}

HIP_API hipHostFree(hipPointer address) {
  SIM_CALL(HIP_GIVES_BACK);
  if (address == 0) return sim_leave(SIM_OK);
  sim_await_implicitly();
  return sim_leave(sim_free(address, SIM_KIND(SIM_PINNED)));
}

HIP_API hipMallocManaged(hipPointer* out, size_t bytes, unsigned flags) {
  SIM_CALL(HIP_DEVICE);
  if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST) return sim_leave(SIM_INVALID_VALUE);
  if (!sim.options[SIM_MANAGES]) return sim_leave(SIM_NOT_SUPPORTED);
  return sim_leave(allocate(SIM_MANAGED, bytes, out));
}

HIP_API hipMallocAsync(hipPointer* out, size_t bytes, hipStream_t stream) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_allocate_on(bytes, stream, out));
}

HIP_API hipFreeAsync(hipPointer address, hipStream_t stream) {
  SIM_CALL(HIP_GIVES_BACK);
  return sim_leave(sim_free_on(address, stream));
}

static int copy(hipPointer to, hipPointer from, size_t bytes, int kind, hipStream_t stream, bool wait) {
  static const enum SimSide to_sides[] = {SIM_HOST_SIDE, SIM_DEVICE_SIDE, SIM_HOST_SIDE, SIM_DEVICE_SIDE, SIM_ANY_SIDE};
  static const enum SimSide from_sides[] = {SIM_HOST_SIDE, SIM_HOST_SIDE, SIM_DEVICE_SIDE, SIM_DEVICE_SIDE, SIM_ANY_SIDE};
  if (kind < HOST_TO_HOST || kind > BY_ADDRESS) return SIM_INVALID_VALUE;
  return sim_copy(to, to_sides[kind], from, from_sides[kind], bytes, stream, wait);
}

HIP_API hipMemcpy(hipPointer to, hipPointer from, size_t bytes, int kind) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(copy(to, from, bytes, kind, NOW));
}

HIP_API hipMemcpyAsync(hipPointer to, hipPointer from, size_t bytes, int kind, hipStream_t stream) {
  SIM_CALL(HIP_LAUNCH);
  return sim_leave(copy(to, from, bytes, kind, stream, false));
}

static int expect_on(hipPointer address, int device) {
  struct SimAllocation* allocation = sim_find(address);
  if (allocation != NULL && allocation->device == device) return SIM_OK;
  sim_violation("%s got 0x%" PRIx64 " with device %d, to which it does not belong", sim_call_name(), address, device);
  return SIM_INVALID_VALUE;
}

static int copy_peer(hipPointer to, int to_device, hipPointer from, int from_device, size_t bytes, hipStream_t stream,
                     bool wait) {
  if (!sim_has_device(to_device) || !sim_has_device(from_device)) return SIM_INVALID_DEVICE;
  int code = expect_on(to, to_device);
  if (code == SIM_OK) code = expect_on(from, from_device);
  return code != SIM_OK ? code : sim_copy(to, SIM_PEER_SIDE, from, SIM_PEER_SIDE, bytes, stream, wait);
}

HIP_API hipMemcpyPeer(hipPointer to, int to_device, hipPointer from, int from_device, size_t bytes) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(copy_peer(to, to_device, from, from_device, bytes, NOW));
}

HIP_API hipMemcpyPeerAsync(hipPointer to, int to_device, hipPointer from, int from_device, size_t bytes,
                           hipStream_t stream) {
  SIM_CALL(HIP_LAUNCH);
  return sim_leave(copy_peer(to, to_device, from, from_device, bytes, stream, false));
}

HIP_API hipMemset(hipPointer to, int value, size_t bytes) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_fill(to, (unsigned char)value, 1, bytes, NOW));
}

HIP_API hipMemsetAsync(hipPointer to, int value, size_t bytes, hipStream_t stream) {
  SIM_CALL(HIP_LAUNCH);
  return sim_leave(sim_fill(to, (unsigned char)value, 1, bytes, stream, false));
}

struct hipPointerAttribute_t {
  int type;
  int device;
  hipPointer device_pointer;
  hipPointer host_pointer;
  int is_managed;
  unsigned allocation_flags;
};

static int type_of(const struct SimAllocation* allocation) {
  if (allocation->kind == SIM_PINNED) return TYPE_HOST;
  return allocation->kind == SIM_MANAGED ? TYPE_MANAGED : TYPE_DEVICE;
}

HIP_API hipPointerGetAttributes(struct hipPointerAttribute_t* out, hipPointer address) {
  SIM_CALL(SIM_QUIET);
  struct SimAllocation* it = sim_find(address);
  if (it == NULL || it->state == SIM_FREED) {
#if SIM_HIP_VERSION >= 6
    *out = (struct hipPointerAttribute_t){.type = TYPE_UNREGISTERED, .device = -2};
    return sim_leave(SIM_OK);
#else
    return sim_leave(SIM_INVALID_VALUE);
#endif
  }
  bool host = !it->hidden;
  *out = (struct hipPointerAttribute_t){.type = type_of(it),
                                        .device = it->device,
                                        .device_pointer = address,
                                        .host_pointer = host ? address : 0,
                                        .is_managed = it->kind == SIM_MANAGED};
  return sim_leave(SIM_OK);
}

/* Also of memory that it does not know: whoever looks for an allocation's neighbours asks for their addresses. */
HIP_API hipMemGetAddressRange(hipPointer* base, size_t* bytes, hipPointer address) {
  SIM_CALL(SIM_QUIET);
  struct SimAllocation* it = sim_find(address);
  if (it == NULL || it->state == SIM_FREED) return sim_leave(SIM_NOT_FOUND);
  *base = it->base;
  *bytes = sim_range_bytes(it);
  return sim_leave(SIM_OK);
}
