/* Memory: making, freeing and looking at it. */
#include <inttypes.h>

#include "cuda_api.h"

#define PORTABLE_MAPPED_COMBINED 7u
#define ATTACH_GLOBAL 1u
#define ATTACH_HOST 2u
#define TYPE_HOST 1u
#define TYPE_DEVICE 2u
#define NO_ORDINAL (-2)

static int allocate(enum SimKind kind, uint64_t bytes, uint64_t* out) {
  struct SimAllocation* allocation;
  int code = sim_allocate(kind, sim_face_device(), bytes, &allocation);
  if (code == SIM_OK) *out = allocation->base;
  return code;
}

CU_API cuMemAlloc_v2(CUdeviceptr* out, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(allocate(SIM_DEVICE, bytes, out));
}

CU_API cuMemFree_v2(CUdeviceptr address) {
  SIM_CALL(CU_GIVES_BACK);
  if (address == 0) return sim_leave(SIM_OK);
  sim_await_implicitly();
  return sim_leave(sim_free(address, SIM_KIND(SIM_DEVICE) | SIM_KIND(SIM_POOL) | SIM_KIND(SIM_MANAGED)));
}

CU_API cuMemHostAlloc(uint64_t* out, size_t bytes, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  if (flags & ~PORTABLE_MAPPED_COMBINED) return sim_leave(SIM_INVALID_VALUE);
  sim_await_implicitly();
  return sim_leave(allocate(SIM_PINNED, bytes, out));
}

CU_API cuMemAllocHost_v2(uint64_t* out, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  sim_await_implicitly();
  return sim_leave(allocate(SIM_PINNED, bytes, out));
}

CU_API cuMemFreeHost(uint64_t address) {
  SIM_CALL(CU_GIVES_BACK);
  sim_await_implicitly();
  return sim_leave(sim_free(address, SIM_KIND(SIM_PINNED)));
}

CU_API cuMemHostGetDevicePointer_v2(CUdeviceptr* out, uint64_t address, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  struct SimSpan span;
  int code = sim_locate(address, 1, &span);
  if (code != SIM_OK) return sim_leave(code);
  if (flags != 0 || span.allocation == NULL || sim_on_device(&span)) return sim_leave(SIM_INVALID_VALUE);
  *out = address;
  return sim_leave(SIM_OK);
}

CU_API cuMemAllocManaged(CUdeviceptr* out, size_t bytes, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST) return sim_leave(SIM_INVALID_VALUE);
  if (!sim.options[SIM_MANAGES]) return sim_leave(SIM_NOT_SUPPORTED);
  return sim_leave(allocate(SIM_MANAGED, bytes, out));
}

CU_API cuMemAllocAsync(CUdeviceptr* out, size_t bytes, CUstream stream) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_allocate_on(bytes, stream, out));
}

CU_API cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  SIM_CALL(CU_GIVES_BACK);
  return sim_leave(sim_free_on(address, stream));
}

CU_API cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  SIM_CALL(CU_CURRENT);
  struct SimSpan span;
  int code = sim_locate(address, 1, &span);
  if (code != SIM_OK) return sim_leave(code);
  if (span.allocation == NULL) return sim_leave(SIM_INVALID_VALUE);
  if (base != NULL) *base = span.allocation->base;
  if (bytes != NULL) *bytes = sim_range_bytes(span.allocation);
  return sim_leave(SIM_OK);
}

/* Each is as wide as CUDA has it: some are 64 bits, some 32, some 8. */
static int get_attribute(void* out, int number, uint64_t address) {
  struct SimAllocation* it = sim_find(address);
  if (it != NULL && it->state == SIM_FREED) it = NULL;
  bool host = it != NULL && !it->hidden;
  switch (number) {
    case 1: /* context */
      *(uint64_t*)out = it == NULL ? 0 : cuda_context_of(it->device);
      break;
    case 2: /* memory type */
      *(uint32_t*)out = it == NULL ? 0 : it->kind == SIM_PINNED ? TYPE_HOST : TYPE_DEVICE;
      break;
    case 3: /* device pointer */
      *(uint64_t*)out = it == NULL ? 0 : address;
      break;
    case 4: /* host pointer */
      *(uint64_t*)out = host ? address : 0;
      break;
    case 7: /* buffer id */
      *(uint64_t*)out = it == NULL ? 0 : it->base >> 8;
      break;
    case 8: /* whether managed */
      *(uint32_t*)out = it != NULL && it->kind == SIM_MANAGED;
      break;
    case 9: /* device ordinal */
      *(int32_t*)out = it == NULL ? NO_ORDINAL : it->device;
      break;
    case 10: /* whether other processes can have it, as they can have what cuMemAlloc made */
      *(uint8_t*)out = it != NULL && it->kind == SIM_DEVICE;
      break;
    case 11: /* where the allocation begins */
      *(uint64_t*)out = it == NULL ? 0 : it->base;
      break;
    case 12: /* how long it is */
      *(uint64_t*)out = it == NULL ? 0 : sim_range_bytes(it);
      break;
    case 13: /* whether mapped */
      *(uint8_t*)out = it != NULL;
      break;
    default:
      return SIM_NOT_SUPPORTED;
  }
  return SIM_OK;
}

CU_API cuPointerGetAttribute(void* out, int number, CUdeviceptr address) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  struct SimAllocation* allocation = sim_find(address);
  if (allocation == NULL || allocation->state == SIM_FREED) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(get_attribute(out, number, address));
}

/* Unlike the one above it takes any address, and gives zeros for those that it does not know. */
CU_API cuPointerGetAttributes(unsigned count, const int* numbers, void** out, CUdeviceptr address) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  int code = SIM_OK;
  for (unsigned i = 0; i < count && code == SIM_OK; i++) code = get_attribute(out[i], numbers[i], address);
  return sim_leave(code);
}
