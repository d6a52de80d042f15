/* Failures that a test has asked for: of the nth call of a function, and of the nth copy that is carried out. */
#include <string.h>

#include "engine.h"

#define FAULTS 32

struct Fault {
  char name[64];
  int code;
  int64_t after; /* calls that still succeed */
};

static struct Fault faults[FAULTS];
static struct Fault copy_fault;

/* Also for functions that are named differently from release to release: a fault for cuMemAlloc hits cuMemAlloc_v2. */
static bool meant(const struct Fault* fault, const char* name) {
  size_t length = strlen(fault->name);
  if (strncmp(fault->name, name, length) != 0) return false;
  return name[length] == '\0' || strcmp(name + length, "_v2") == 0;
}

int sim_injected(const char* name) {
  for (int i = 0; i < FAULTS; i++) {
    if (faults[i].code == SIM_OK || !meant(&faults[i], name)) continue;
    if (faults[i].after-- > 0) continue;
    int code = faults[i].code;
    faults[i].code = SIM_OK;
    return code;
  }
  return SIM_OK;
}

int sim_injected_copy(void) {
  if (copy_fault.code == SIM_OK || copy_fault.after-- > 0) return SIM_OK;
  int code = copy_fault.code;
  copy_fault.code = SIM_OK;
  return code;
}

void sim_clear_faults(void) {
  memset(faults, 0, sizeof faults);
  memset(&copy_fault, 0, sizeof copy_fault);
}

SIM_API int sim_fail_next(const char* name, int64_t code, int64_t after) {
  if (strlen(name) >= sizeof faults[0].name) return SIM_INVALID_VALUE;
  sim_lock();
  int result = SIM_INVALID_VALUE;
  for (int i = 0; i < FAULTS && result != SIM_OK; i++) {
    if (faults[i].code != SIM_OK) continue;
    strcpy(faults[i].name, name);
    faults[i].code = (int)code;
    faults[i].after = after;
    result = SIM_OK;
  }
  sim_unlock();
  return result;
}

SIM_API void sim_fail_copy(int64_t code, int64_t after) {
  sim_lock();
  copy_fault.code = (int)code;
  copy_fault.after = after;
  sim_unlock();
}

SIM_API void sim_lose_device(int64_t device, int64_t code) {
  sim_lock();
  if (device >= 0 && device < SIM_MAX_DEVICES) {
    sim.lost[device] = (int)code;
    for (struct SimStream* stream = sim.streams; stream != NULL; stream = stream->next) {
      if (stream->device != device) continue;
      for (struct SimOperation* it = stream->first; it != NULL; it = it->next) it->lost = (int)code;
    }
    sim_trace("device %d lost: %d", (int)device, (int)code);
  }
  sim_changed();
  sim_unlock();
}
