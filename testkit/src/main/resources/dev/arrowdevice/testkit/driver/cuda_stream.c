/* Streams and events, and what is put on streams. */
#include <inttypes.h>

#include "cuda_api.h"

#define EVENT_FLAGS 7u
#define EVENT_NO_TIMING 2u

CU_API cuStreamCreate(CUstream* out, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_stream_create(sim_face_device(), flags, 0, out));
}

CU_API cuStreamCreateWithPriority(CUstream* out, unsigned flags, int priority) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_stream_create(sim_face_device(), flags, priority, out));
}

CU_API cuStreamDestroy_v2(CUstream stream) {
  SIM_CALL(CU_GIVES_BACK);
  sim_detail(" stream=0x%" PRIx64, stream);
  return sim_leave(sim_stream_destroy(stream));
}

CU_API cuStreamSynchronize(CUstream handle) {
  SIM_CALL(CU_CURRENT);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  return sim_leave(code != SIM_OK ? code : sim_await(sim_enqueue_mark(stream)));
}

CU_API cuStreamQuery(CUstream handle) {
  SIM_CALL(CU_CURRENT);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  return sim_leave(code != SIM_OK ? code : sim_stream_query(stream));
}

CU_API cuStreamGetCtx(CUstream handle, CUcontext* context) {
  SIM_CALL(CU_CURRENT);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  if (code == SIM_OK) *context = cuda_context_of(stream->device);
  return sim_leave(code);
}

CU_API cuStreamGetFlags(CUstream handle, unsigned* flags) {
  SIM_CALL(CU_CURRENT);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  if (code == SIM_OK) *flags = stream->flags;
  return sim_leave(code);
}

CU_API cuStreamGetPriority(CUstream handle, int* priority) {
  SIM_CALL(CU_CURRENT);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  if (code == SIM_OK) *priority = stream->priority;
  return sim_leave(code);
}

CU_API cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  if (flags > 1) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_event_wait_on(stream, event));
}

CU_API cuStreamWaitValue32(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_wait_value_on(stream, address, value, flags));
}

CU_API cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_wait_value_on(stream, address, value, flags));
}

CU_API cuLaunchHostFunc(CUstream stream, SimHostFunction function, void* data) {
  SIM_CALL(CU_LAUNCH);
  return sim_leave(sim_call_on(stream, function, NULL, data));
}

CU_API cuStreamAddCallback(CUstream stream, SimCallback callback, void* data, unsigned flags) {
  SIM_CALL(CU_LAUNCH);
  if (flags != 0) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_call_on(stream, NULL, callback, data));
}

CU_API cuEventCreate(CUevent* out, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  if (flags & ~EVENT_FLAGS) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_event_create(sim_face_device(), flags, out));
}

CU_API cuEventDestroy_v2(CUevent event) {
  SIM_CALL(CU_GIVES_BACK);
  return sim_leave(sim_event_destroy(event));
}

CU_API cuEventRecord(CUevent event, CUstream stream) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_event_record(event, stream));
}

CU_API cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  if (flags > 1) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_event_record(event, stream));
}

CU_API cuEventQuery(CUevent event) {
  SIM_CALL(CU_CURRENT | SIM_QUIET);
  return sim_leave(sim_event_query(event));
}

CU_API cuEventSynchronize(CUevent event) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_event_await(event));
}

CU_API cuEventElapsedTime(float* millis, CUevent start, CUevent end) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_event_elapsed(millis, start, end, EVENT_NO_TIMING));
}
