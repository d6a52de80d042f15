/* What the parts of the HIP face share. Unlike CUDA's it knows no contexts, only a current device of each thread. */
#ifndef SIM_HIP_API_H
#define SIM_HIP_API_H

#include "engine.h"

/* The major version of ROCm that it pretends to be: 5, 6 or 7. */
#ifndef SIM_HIP_VERSION
#define SIM_HIP_VERSION 6
#endif

typedef int hipError_t;
typedef int hipDevice_t;
typedef uint64_t hipPointer;
typedef uint64_t hipStream_t;
typedef uint64_t hipEvent_t;

#define HIP_API SIM_API hipError_t
#define HIP_DEVICE SIM_CURRENT_DEVICE
#define HIP_LAUNCH (SIM_CURRENT_DEVICE | SIM_LAUNCHES)
#define HIP_GIVES_BACK (SIM_CURRENT_DEVICE | SIM_GIVES_BACK)

#endif
