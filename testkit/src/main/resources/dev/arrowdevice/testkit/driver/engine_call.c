/* What every call of a face goes through: the lock, the reasons to refuse it, and its line in the trace. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define DEFAULTS                                 \
  {                                              \
    [SIM_DEVICES] = 2,                           \
    [SIM_DEVICE_BYTES] = (int64_t)1 << 30,       \
    [SIM_PINNED_BYTES] = (int64_t)16 << 30,      \
    [SIM_DELAY_MICROS] = 200,                    \
    [SIM_POOLS] = 1,                             \
    [SIM_MANAGES] = 1,                           \
    [SIM_CONCURRENT_MANAGED] = 1,                \
    [SIM_PEERS] = 1,                             \
    [SIM_CUDA_VERSION] = 12040                   \
  }

struct SimEngine sim = {.options = DEFAULTS};

/* Programs that know nothing of sim_set choose modes by their bits. */
__attribute__((constructor)) static void take_modes_of_environment(void) {
  const char* modes = getenv("SIM_MODES");
  if (modes != NULL) sim.options[SIM_MODES] = strtoll(modes, NULL, 0);
}

void sim_default_options(void) {
  static const int64_t defaults[SIM_OPTIONS] = DEFAULTS;
  memcpy(sim.options, defaults, sizeof defaults);
  take_modes_of_environment();
}

bool sim_mode(enum SimMode mode) { return sim.options[SIM_MODES] >> mode & 1; }

__thread bool sim_in_callback;

struct Call {
  const char* name;
  unsigned needs;
  int failed; /* the device's code, for a call that still frees */
  int last_code;
  char detail[200];
};

static __thread struct Call call;

const char* sim_call_name(void) { return call.name == NULL ? "" : call.name; }

int sim_last_code(bool clear) {
  int code = call.last_code;
  if (clear) call.last_code = SIM_OK;
  return code;
}

bool sim_has_device(int device) { return device >= 0 && device < sim.options[SIM_DEVICES]; }

int sim_device_code(int device) {
  if (device < 0 || device >= SIM_MAX_DEVICES) return SIM_OK;
  return sim.lost[device] != SIM_OK ? sim.lost[device] : sim.errors[device];
}

void sim_detail(const char* format, ...) {
  size_t used = strlen(call.detail);
  va_list values;
  va_start(values, format);
  vsnprintf(call.detail + used, sizeof call.detail - used, format, values);
  va_end(values);
}

static int refusal(void) {
  if (sim_in_callback && !(call.needs & SIM_IN_CALLBACK)) {
    sim_violation("%s was called within a host function of a stream", call.name);
    while (sim_mode(SIM_WAITING_IN_CALLBACKS)) sim_wait_for_change();
    return sim_face_callback_code;
  }
  while ((call.needs & SIM_LAUNCHES) && sim.calling > 0 && sim_mode(SIM_BLOCKING_CALLBACKS)) sim_wait_for_change();
  int injected = sim_injected(call.name);
  if (injected != SIM_OK) return injected;
  if ((call.needs & SIM_INIT) && !sim.initialized) {
    sim_violation("%s was called before the driver was initialised", call.name);
    return SIM_NOT_INITIALIZED;
  }
  if (!(call.needs & SIM_CURRENT_DEVICE)) return SIM_OK;
  int device = sim_face_device();
  if (device < 0) return sim_face_no_device();
  call.failed = sim_device_code(device);
  return call.needs & SIM_GIVES_BACK ? SIM_OK : call.failed;
}

int sim_enter(const char* name, unsigned needs) {
  sim_lock();
  call.name = name;
  call.needs = needs;
  call.failed = SIM_OK;
  call.detail[0] = '\0';
  int code = refusal();
  return code == SIM_OK ? SIM_OK : sim_leave(code);
}

int sim_leave(int code) {
  if (code == SIM_OK && (call.needs & SIM_GIVES_BACK)) code = call.failed;
  if (code != SIM_OK) call.last_code = code;
  bool failed = code != SIM_OK && code != SIM_NOT_READY;
  if (failed || !(call.needs & SIM_QUIET)) sim_trace("%s%s = %d", call.name, call.detail, code);
  sim_unlock();
  return code;
}
