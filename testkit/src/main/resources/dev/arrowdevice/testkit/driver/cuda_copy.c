/* Copies and fills. The synchronous ones go through the legacy default stream and wait. */
#include <inttypes.h>

#include "cuda_api.h"

#define NOW SIM_LEGACY_STREAM, true

CU_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_copy(to, SIM_ANY_SIDE, from, SIM_ANY_SIDE, bytes, NOW));
}

CU_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_copy(to, SIM_ANY_SIDE, from, SIM_ANY_SIDE, bytes, stream, false));
}

CU_API cuMemcpyHtoD_v2(CUdeviceptr to, uint64_t from, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_copy(to, SIM_DEVICE_SIDE, from, SIM_HOST_SIDE, bytes, NOW));
}

CU_API cuMemcpyDtoH_v2(uint64_t to, CUdeviceptr from, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_copy(to, SIM_HOST_SIDE, from, SIM_DEVICE_SIDE, bytes, NOW));
}

CU_API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_copy(to, SIM_DEVICE_SIDE, from, SIM_DEVICE_SIDE, bytes, NOW));
}

CU_API cuMemcpyHtoDAsync_v2(CUdeviceptr to, uint64_t from, size_t bytes, CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_copy(to, SIM_DEVICE_SIDE, from, SIM_HOST_SIDE, bytes, stream, false));
}

CU_API cuMemcpyDtoHAsync_v2(uint64_t to, CUdeviceptr from, size_t bytes, CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_copy(to, SIM_HOST_SIDE, from, SIM_DEVICE_SIDE, bytes, stream, false));
}

CU_API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_copy(to, SIM_DEVICE_SIDE, from, SIM_DEVICE_SIDE, bytes, stream, false));
}

static int expect_on(uint64_t address, CUcontext context) {
  int device = cuda_device_of(context);
  struct SimAllocation* allocation = sim_find(address);
  if (device >= 0 && allocation != NULL && allocation->device == device) return SIM_OK;
  sim_violation("%s got 0x%" PRIx64 " with a context that it does not belong to", sim_call_name(), address);
  return device < 0 ? SIM_INVALID_CONTEXT : SIM_INVALID_VALUE;
}

static int copy_peer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                     CUstream stream, bool wait) {
  int code = expect_on(to, to_context);
  if (code == SIM_OK) code = expect_on(from, from_context);
  return code != SIM_OK ? code : sim_copy(to, SIM_PEER_SIDE, from, SIM_PEER_SIDE, bytes, stream, wait);
}

CU_API cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(copy_peer(to, to_context, from, from_context, bytes, NOW));
}

CU_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                         CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(copy_peer(to, to_context, from, from_context, bytes, stream, false));
}

CU_API cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_fill(to, value, 1, count, NOW));
}

CU_API cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_fill(to, value, 1, count, stream, false));
}

CU_API cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_fill(to, value, 4, count, NOW));
}

CU_API cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_fill(to, value, 4, count, stream, false));
}
