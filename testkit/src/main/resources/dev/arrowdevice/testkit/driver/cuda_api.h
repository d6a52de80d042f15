/* What the parts of the CUDA face share. Handles and device addresses are all 64 bits wide. */
#ifndef SIM_CUDA_API_H
#define SIM_CUDA_API_H

#include "engine.h"

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef uint64_t CUcontext;
typedef uint64_t CUstream;
typedef uint64_t CUevent;

#define CU_API SIM_API CUresult
#define CU_INIT SIM_INIT
#define CU_CURRENT (SIM_INIT | SIM_CURRENT_DEVICE)
#define CU_LAUNCH (CU_CURRENT | SIM_LAUNCHES)
#define CU_GIVES_BACK (SIM_INIT | SIM_CURRENT_DEVICE | SIM_GIVES_BACK)

/* The device of a primary context that is retained, or -1. */
int cuda_device_of(CUcontext context);
CUcontext cuda_context_of(int device);

#endif
