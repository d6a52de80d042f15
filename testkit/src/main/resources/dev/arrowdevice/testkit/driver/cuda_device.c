/* The driver and its devices. */
#include <stdio.h>
#include <string.h>

#include "cuda_api.h"

CU_API cuInit(unsigned flags) {
  SIM_CALL(SIM_NOTHING);
  if (flags != 0) return sim_leave(SIM_INVALID_VALUE);
  if (sim.options[SIM_DEVICES] == 0) return sim_leave(SIM_NO_DEVICE);
  sim.initialized = true;
  return sim_leave(SIM_OK);
}

CU_API cuDriverGetVersion(int* version) {
  SIM_CALL(SIM_QUIET);
  *version = (int)sim.options[SIM_CUDA_VERSION];
  return sim_leave(SIM_OK);
}

CU_API cuDeviceGetCount(int* count) {
  SIM_CALL(CU_INIT);
  *count = (int)sim.options[SIM_DEVICES];
  return sim_leave(SIM_OK);
}

CU_API cuDeviceGet(CUdevice* device, int ordinal) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(ordinal)) return sim_leave(SIM_INVALID_DEVICE);
  *device = ordinal;
  return sim_leave(SIM_OK);
}

CU_API cuDeviceGetName(char* name, int length, CUdevice device) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  if (length <= 0) return sim_leave(SIM_INVALID_VALUE);
  snprintf(name, (size_t)length, "Simulated CUDA device %d", device);
  return sim_leave(SIM_OK);
}

static int attribute(int number, CUdevice device) {
  switch (number) {
    case 16: return 4;            /* multiprocessors */
    case 19: return 1;            /* can map host memory */
    case 33: return device + 1;   /* PCI bus */
    case 34: return 0;            /* PCI device */
    case 50: return 0;            /* PCI domain */
    case 40: return 2;            /* engines for copies */
    case 41: return 1;            /* unified addressing */
    case 75: return 9;            /* compute capability */
    case 76: return 0;
    case 78: return 1;            /* stream priorities */
    case 83: return (int)sim.options[SIM_MANAGES];
    case 89:
      return sim.options[SIM_MANAGES] && sim.options[SIM_CONCURRENT_MANAGED] && !sim_mode(SIM_MANAGED_MIGRATES);
    case 115: return (int)sim.options[SIM_POOLS];
    default: return 0;
  }
}

CU_API cuDeviceGetAttribute(int* value, int number, CUdevice device) {
  SIM_CALL(CU_INIT | SIM_QUIET);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  *value = attribute(number, device);
  return sim_leave(SIM_OK);
}

CU_API cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  *bytes = (size_t)sim.options[SIM_DEVICE_BYTES];
  return sim_leave(SIM_OK);
}

static int uuid_of(char* uuid, CUdevice device) {
  if (!sim_has_device(device)) return SIM_INVALID_DEVICE;
  memcpy(uuid, "simulated device", 16);
  uuid[15] = (char)device;
  return SIM_OK;
}

CU_API cuDeviceGetUuid(char* uuid, CUdevice device) {
  SIM_CALL(CU_INIT);
  return sim_leave(uuid_of(uuid, device));
}

CU_API cuDeviceGetUuid_v2(char* uuid, CUdevice device) {
  SIM_CALL(CU_INIT);
  return sim_leave(uuid_of(uuid, device));
}

CU_API cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  SIM_CALL(CU_INIT);
  if (!sim_has_device(device)) return sim_leave(SIM_INVALID_DEVICE);
  snprintf(text, (size_t)length, "0000:%02x:00.0", device + 1);
  return sim_leave(SIM_OK);
}

CU_API cuMemGetInfo_v2(size_t* unused, size_t* total) {
  SIM_CALL(CU_CURRENT | SIM_QUIET);
  *total = (size_t)sim.options[SIM_DEVICE_BYTES];
  *unused = *total - (size_t)sim.device_bytes[sim_face_device()];
  return sim_leave(SIM_OK);
}

struct Error {
  int code;
  const char* name;
  const char* text;
};

static const struct Error errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "device is busy or unavailable"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access is not supported between these two devices"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static const struct Error* find(int code) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    if (errors[i].code == code) return &errors[i];
  }
  return NULL;
}

CU_API cuGetErrorName(int code, const char** name) {
  SIM_CALL(SIM_QUIET | SIM_IN_CALLBACK);
  const struct Error* error = find(code);
  *name = error == NULL ? NULL : error->name;
  return sim_leave(error == NULL ? SIM_INVALID_VALUE : SIM_OK);
}

CU_API cuGetErrorString(int code, const char** text) {
  SIM_CALL(SIM_QUIET | SIM_IN_CALLBACK);
  const struct Error* error = find(code);
  *text = error == NULL ? NULL : error->text;
  return sim_leave(error == NULL ? SIM_INVALID_VALUE : SIM_OK);
}
