/* Primary contexts, and the stack of them that each thread has. */
#include <inttypes.h>
#include <pthread.h>

#include "cuda_api.h"

#define DEEPEST 64

const int sim_face_callback_code = SIM_NOT_PERMITTED;

struct Primary {
  CUcontext handle;
  int64_t retained;
  unsigned peers; /* a bit for each device that it may reach */
};

struct Stack {
  CUcontext contexts[DEEPEST];
  bool pushed[DEEPEST]; /* and not set, which needs no pop */
  int depth;
};

static struct Primary primaries[SIM_MAX_DEVICES];
static __thread struct Stack stack;
static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

int cuda_device_of(CUcontext context) {
  struct Primary* primary = sim_table_get(context, SIM_CONTEXTS);
  return primary == NULL ? -1 : (int)(primary - primaries);
}

CUcontext cuda_context_of(int device) { return primaries[device].handle; }

int sim_face_device(void) { return stack.depth == 0 ? -1 : cuda_device_of(stack.contexts[stack.depth - 1]); }

int sim_face_no_device(void) {
  sim_violation("%s was called on a thread without a current context", sim_call_name());
  return SIM_INVALID_CONTEXT;
}

static void on_thread_end(void* value) {
  struct Stack* ended = value;
  int left = 0;
  for (int i = 0; i < ended->depth; i++) left += ended->pushed[i];
  if (left == 0) return;
  sim_lock();
  sim.live[SIM_CURRENT] -= left;
  sim_violation("a thread ended with %d contexts pushed and not popped", left);
  sim_unlock();
}

static void make_key(void) { pthread_key_create(&thread_end, on_thread_end); }

static int push(CUcontext context, bool pushed) {
  if (stack.depth == DEEPEST) return SIM_INVALID_VALUE;
  pthread_once(&once, make_key);
  pthread_setspecific(thread_end, &stack);
  stack.contexts[stack.depth] = context;
  stack.pushed[stack.depth++] = pushed;
  sim.live[SIM_CURRENT] += pushed;
  return SIM_OK;
}

static CUcontext pop(void) {
  stack.depth--;
  sim.live[SIM_CURRENT] -= stack.pushed[stack.depth];
  return stack.contexts[stack.depth];
}

static int expect_context(CUcontext context) {
  if (cuda_device_of(context) >= 0) return SIM_OK;
  sim_violation("%s got 0x%" PRIx64 ", %s", sim_call_name(), context,
                sim_table_had(context, SIM_CONTEXTS) ? "a context that has been released" : "which is no context");
  return SIM_INVALID_CONTEXT;
}

CU_API cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  if (sim.lost[device] != SIM_OK) return sim_leave(sim.lost[device]);
  if (sim.errors[device] != SIM_OK && sim_mode(SIM_STICKY_ERRORS)) return sim_leave(sim.errors[device]);
  struct Primary* primary = &primaries[device];
  if (primary->retained++ == 0) primary->handle = sim_table_add(SIM_CONTEXTS, primary);
  sim.live[SIM_CONTEXT]++;
  *context = primary->handle;
  sim_detail(" device=%d context=0x%" PRIx64, device, *context);
  return sim_leave(SIM_OK);
}

/* The last release ends the context; the next retain makes a new one, without the errors of the old one. */
static void end(struct Primary* primary, const char* how) {
  int device = (int)(primary - primaries);
  sim_expect_unused(device, how);
  sim_table_remove(primary->handle);
  primary->handle = 0;
  primary->peers = 0;
  if (!sim_mode(SIM_STICKY_ERRORS)) sim.errors[device] = SIM_OK;
}

CU_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  struct Primary* primary = &primaries[device];
  if (primary->retained == 0) {
    sim_violation("the primary context of device %d was released more often than retained", device);
    return sim_leave(SIM_INVALID_CONTEXT);
  }
  sim.live[SIM_CONTEXT]--;
  if (--primary->retained == 0) end(primary, "the last release of the primary context");
  return sim_leave(SIM_OK);
}

CU_API cuDevicePrimaryCtxReset_v2(CUdevice device) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  if (primaries[device].retained > 0) sim_expect_unused(device, "the reset of the primary context");
  if (!sim_mode(SIM_STICKY_ERRORS)) sim.errors[device] = SIM_OK;
  return sim_leave(SIM_OK);
}

CU_API cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  *flags = 0;
  *active = primaries[device].retained > 0;
  return sim_leave(SIM_OK);
}

CU_API cuCtxPushCurrent_v2(CUcontext context) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  int code = expect_context(context);
  return sim_leave(code == SIM_OK ? push(context, true) : code);
}

CU_API cuCtxPopCurrent_v2(CUcontext* context) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  if (stack.depth == 0) {
    sim_violation("a context was popped from an empty stack");
    return sim_leave(SIM_INVALID_CONTEXT);
  }
  CUcontext popped = pop();
  if (context != NULL) *context = popped;
  return sim_leave(SIM_OK);
}

CU_API cuCtxGetCurrent(CUcontext* context) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  *context = stack.depth == 0 ? 0 : stack.contexts[stack.depth - 1];
  return sim_leave(SIM_OK);
}

CU_API cuCtxSetCurrent(CUcontext context) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  if (context == 0) {
    if (stack.depth > 0) pop();
    return sim_leave(SIM_OK);
  }
  int code = expect_context(context);
  if (code != SIM_OK) return sim_leave(code);
  if (stack.depth == 0) return sim_leave(push(context, false));
  stack.contexts[stack.depth - 1] = context;
  return sim_leave(SIM_OK);
}

CU_API cuCtxGetDevice(CUdevice* device) {
  SIM_CALL(CU_CURRENT | SIM_QUIET);
  *device = sim_face_device();
  return sim_leave(SIM_OK);
}

CU_API cuCtxSynchronize(void) {
  SIM_CALL(CU_CURRENT);
  return sim_leave(sim_await_device(sim_face_device()));
}

CU_API cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  SIM_CALL(CU_CURRENT | SIM_QUIET);
  if (least != NULL) *least = 0;
  if (greatest != NULL) *greatest = -5;
  return sim_leave(SIM_OK);
}

CU_API cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  if (!sim_has_device(device) || !sim_has_device(peer)) return sim_leave(SIM_INVALID_DEVICE);
  *can = device != peer && sim.options[SIM_PEERS] != 0;
  return sim_leave(SIM_OK);
}

CU_API cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  SIM_CALL(CU_CURRENT);
  int code = expect_context(peer);
  if (code != SIM_OK) return sim_leave(code);
  int device = sim_face_device(), other = cuda_device_of(peer);
  if (flags != 0) return sim_leave(SIM_INVALID_VALUE);
  if (device == other || !sim.options[SIM_PEERS]) return sim_leave(SIM_PEER_UNSUPPORTED);
  if (primaries[device].peers & 1u << other) return sim_leave(SIM_PEER_ENABLED);
  primaries[device].peers |= 1u << other;
  return sim_leave(SIM_OK);
}
