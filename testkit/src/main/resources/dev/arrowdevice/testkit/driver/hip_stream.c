/* Streams and events, and host functions on streams. */
#include <inttypes.h>

#include "hip_api.h"

#define EVENT_FLAGS 0xE0000007u
#define EVENT_NO_TIMING 2u

HIP_API hipStreamCreate(hipStream_t* out) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_stream_create(sim_face_device(), 0, 0, out));
}

HIP_API hipStreamCreateWithFlags(hipStream_t* out, unsigned flags) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_stream_create(sim_face_device(), flags, 0, out));
}

HIP_API hipStreamCreateWithPriority(hipStream_t* out, unsigned flags, int priority) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_stream_create(sim_face_device(), flags, priority, out));
}

HIP_API hipStreamDestroy(hipStream_t stream) {
  SIM_CALL(HIP_GIVES_BACK);
  sim_detail(" stream=0x%" PRIx64, stream);
  return sim_leave(sim_stream_destroy(stream));
}

HIP_API hipStreamSynchronize(hipStream_t handle) {
  SIM_CALL(HIP_DEVICE);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  return sim_leave(code != SIM_OK ? code : sim_await(sim_enqueue_mark(stream)));
}

HIP_API hipStreamQuery(hipStream_t handle) {
  SIM_CALL(HIP_DEVICE);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  return sim_leave(code != SIM_OK ? code : sim_stream_query(stream));
}

#if SIM_HIP_VERSION >= 6
HIP_API hipStreamGetDevice(hipStream_t handle, int* device) {
  SIM_CALL(HIP_DEVICE);
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  if (code == SIM_OK) *device = stream->device;
  return sim_leave(code);
}

/* Release 5 declares it and lacks it. */
HIP_API hipLaunchHostFunc(hipStream_t stream, SimHostFunction function, void* data) {
  SIM_CALL(HIP_LAUNCH);
  return sim_leave(sim_call_on(stream, function, NULL, data));
}
#endif

HIP_API hipStreamAddCallback(hipStream_t stream, SimCallback callback, void* data, unsigned flags) {
  SIM_CALL(HIP_LAUNCH);
  if (flags != 0) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_call_on(stream, NULL, callback, data));
}

/* The mask is what a word has to have in common with the value; here always all of it. */
HIP_API hipStreamWaitValue32(hipStream_t stream, hipPointer address, uint32_t value, unsigned flags, uint32_t mask) {
  SIM_CALL(HIP_LAUNCH);
  if (mask != UINT32_MAX) return sim_leave(SIM_NOT_SUPPORTED);
  return sim_leave(sim_wait_value_on(stream, address, value, flags));
}

HIP_API hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  SIM_CALL(HIP_DEVICE);
  if (flags > 1) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_event_wait_on(stream, event));
}

HIP_API hipEventCreate(hipEvent_t* out) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_event_create(sim_face_device(), 0, out));
}

HIP_API hipEventCreateWithFlags(hipEvent_t* out, unsigned flags) {
  SIM_CALL(HIP_DEVICE);
  if (flags & ~EVENT_FLAGS) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim_event_create(sim_face_device(), flags, out));
}

HIP_API hipEventDestroy(hipEvent_t event) {
  SIM_CALL(HIP_GIVES_BACK);
  return sim_leave(sim_event_destroy(event));
}

HIP_API hipEventRecord(hipEvent_t event, hipStream_t stream) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_event_record(event, stream));
}

HIP_API hipEventQuery(hipEvent_t event) {
  SIM_CALL(HIP_DEVICE | SIM_QUIET);
  return sim_leave(sim_event_query(event));
}

HIP_API hipEventSynchronize(hipEvent_t event) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_event_await(event));
}

HIP_API hipEventElapsedTime(float* millis, hipEvent_t start, hipEvent_t end) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_event_elapsed(millis, start, end, EVENT_NO_TIMING));
}
