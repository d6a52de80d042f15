/* The runtime and its devices. */
#include <stdio.h>

#include "hip_api.h"

/* There is no code of its own for it; "not supported" is what comes closest. */
const int sim_face_callback_code = SIM_NOT_SUPPORTED;

static __thread int current;

int sim_face_device(void) { return sim_has_device(current) ? current : -1; }
int sim_face_no_device(void) { return SIM_INVALID_DEVICE; }

HIP_API hipInit(unsigned flags) {
  SIM_CALL(SIM_NOTHING);
  if (flags != 0) return sim_leave(SIM_INVALID_VALUE);
  return sim_leave(sim.options[SIM_DEVICES] == 0 ? SIM_NO_DEVICE : SIM_OK);
}

static int version(void) {
  switch (SIM_HIP_VERSION) {
    case 5: return 50221153;
    case 6: return 60342134;
    default: return 70051831;
  }
}

HIP_API hipRuntimeGetVersion(int* out) {
  SIM_CALL(SIM_QUIET);
  *out = version();
  return sim_leave(SIM_OK);
}

HIP_API hipDriverGetVersion(int* out) {
  SIM_CALL(SIM_QUIET);
  *out = version();
  return sim_leave(SIM_OK);
}

HIP_API hipGetDeviceCount(int* count) {
  SIM_CALL(SIM_NOTHING);
  *count = (int)sim.options[SIM_DEVICES];
  return sim_leave(*count == 0 ? SIM_NO_DEVICE : SIM_OK);
}

HIP_API hipSetDevice(int device) {
  SIM_CALL(SIM_QUIET);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  current = device;
  return sim_leave(sim.lost[device]);
}

HIP_API hipGetDevice(int* device) {
  SIM_CALL(SIM_QUIET);
  if (sim_face_device() < 0) return sim_leave(SIM_NO_DEVICE);
  *device = current;
  return sim_leave(SIM_OK);
}

HIP_API hipDeviceGet(hipDevice_t* device, int ordinal) {
  SIM_CALL(SIM_QUIET);
  if (!sim_has_device(ordinal)) return sim_leave(SIM_INVALID_DEVICE);
  *device = ordinal;
  return sim_leave(SIM_OK);
}

HIP_API hipDeviceGetName(char* name, int length, hipDevice_t device) {
  SIM_CALL(SIM_NOTHING);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  if (length <= 0) return sim_leave(SIM_INVALID_VALUE);
  snprintf(name, (size_t)length, "Simulated HIP device %d", device);
  return sim_leave(SIM_OK);
}

/* These numbers are the same in ROCm 5.2 and later. */
static int attribute(int number, int device) {
  switch (number) {
    case 2: return 2;           /* engines for copies */
    case 3: return 1;           /* can map host memory */
    case 9:
      return sim.options[SIM_MANAGES] && sim.options[SIM_CONCURRENT_MANAGED] && !sim_mode(SIM_MANAGED_MIGRATES);
    case 23: return 9;          /* compute capability */
    case 24: return (int)sim.options[SIM_MANAGES];
    case 61: return 0;
    case 63: return 4;          /* multiprocessors */
    case 67: return device + 1; /* PCI bus */
    case 68: return 0;          /* PCI device */
    case 69: return 0;          /* PCI domain */
    case 85: return 1;          /* unified addressing */
    case 87: return 64;         /* warp size */
    case 88: return (int)sim.options[SIM_POOLS];
    default: return 0;
  }
}

HIP_API hipDeviceGetAttribute(int* value, int number, int device) {
  SIM_CALL(SIM_QUIET);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  *value = attribute(number, device);
  return sim_leave(SIM_OK);
}

HIP_API hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  SIM_CALL(SIM_NOTHING);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  *bytes = (size_t)sim.options[SIM_DEVICE_BYTES];
  return sim_leave(SIM_OK);
}

HIP_API hipMemGetInfo(size_t* unused, size_t* total) {
  SIM_CALL(HIP_DEVICE | SIM_QUIET);
  *total = (size_t)sim.options[SIM_DEVICE_BYTES];
  *unused = *total - (size_t)sim.device_bytes[current];
  return sim_leave(SIM_OK);
}

HIP_API hipDeviceSynchronize(void) {
  SIM_CALL(HIP_DEVICE);
  return sim_leave(sim_await_device(current));
}

/* Ends the errors of the device. What is live stays so, but is noted: the real one would take it away. */
HIP_API hipDeviceReset(void) {
  SIM_CALL(HIP_DEVICE | SIM_GIVES_BACK);
  sim_expect_unused(current, "the reset");
  if (!sim_mode(SIM_STICKY_ERRORS)) sim.errors[current] = SIM_OK;
  return sim_leave(SIM_OK);
}

HIP_API hipDeviceCanAccessPeer(int* can, int device, int peer) {
  SIM_CALL(SIM_QUIET);
  if (!sim_has_device(device) || !sim_has_device(peer)) return sim_leave(SIM_INVALID_DEVICE);
  *can = device != peer && sim.options[SIM_PEERS] != 0;
  return sim_leave(SIM_OK);
}

HIP_API hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  static unsigned enabled[SIM_MAX_DEVICES];
  SIM_CALL(HIP_DEVICE);
  if (!sim_has_device(peer)) return sim_leave(SIM_INVALID_DEVICE);
  if (flags != 0) return sim_leave(SIM_INVALID_VALUE);
  if (peer == current || !sim.options[SIM_PEERS]) return sim_leave(SIM_PEER_UNSUPPORTED);
  if (enabled[current] & 1u << peer) return sim_leave(SIM_PEER_ENABLED);
  enabled[current] |= 1u << peer;
  return sim_leave(SIM_OK);
}

HIP_API hipGetLastError(void) { return sim_last_code(true); }
HIP_API hipPeekAtLastError(void) { return sim_last_code(false); }

struct Error {
  int code;
  const char* name;
  const char* text;
};

static const struct Error errors[] = {
    {0, "hipSuccess", "no error"},
    {1, "hipErrorInvalidValue", "invalid argument"},
    {2, "hipErrorOutOfMemory", "out of memory"},
    {3, "hipErrorNotInitialized", "initialization error"},
    {4, "hipErrorDeinitialized", "driver shutting down"},
    {100, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {101, "hipErrorInvalidDevice", "invalid device ordinal"},
    {201, "hipErrorInvalidContext", "invalid device context"},
    {217, "hipErrorPeerAccessUnsupported", "peer access is not supported between these two devices"},
    {400, "hipErrorInvalidHandle", "invalid resource handle"},
    {500, "hipErrorNotFound", "named symbol not found"},
    {600, "hipErrorNotReady", "device not ready"},
    {700, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {704, "hipErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {709, "hipErrorContextIsDestroyed", "context is destroyed"},
    {719, "hipErrorLaunchFailure", "unspecified launch failure"},
    {801, "hipErrorNotSupported", "operation not supported"},
};

static const struct Error unknown = {999, "hipErrorUnknown", "unknown error"};

static const struct Error* find(int code) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    if (errors[i].code == code) return &errors[i];
  }
  return &unknown;
}

SIM_API const char* hipGetErrorName(hipError_t code) { return find(code)->name; }
SIM_API const char* hipGetErrorString(hipError_t code) { return find(code)->text; }
