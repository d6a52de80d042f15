/* What a stream's thread does with one operation. The lock is given up while bytes move and host functions run. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "engine.h"

static void work_for(int64_t micros) {
  struct timespec time = {.tv_sec = micros / 1000000, .tv_nsec = micros % 1000000 * 1000};
  sim_unlock();
  nanosleep(&time, NULL);
  sim_lock();
}

static bool usable(const struct SimSpan* span, const struct SimOperation* operation) {
  const struct SimAllocation* allocation = span->allocation;
  if (allocation == NULL) return true;
  if (allocation->state == SIM_FREED) {
    sim_violation("operation %" PRIu64 " touched 0x%" PRIx64 ", which had been freed", operation->order, span->address);
    return false;
  }
  if (!allocation->ready) {
    sim_violation("operation %" PRIu64 " touched 0x%" PRIx64 " before its stream had allocated it", operation->order,
                  span->address);
    return false;
  }
  return true;
}

static void hold(struct SimAllocation* allocation) {
  if (allocation != NULL) allocation->running++;
}

static void let_go(struct SimAllocation* allocation) {
  if (allocation != NULL) sim_ran(allocation);
}

static void fill(uint8_t* to, uint64_t bytes, uint32_t value, uint32_t width) {
  if (width == 1) {
    memset(to, (int)value, bytes);
    return;
  }
  for (uint64_t i = 0; i < bytes; i += width) memcpy(to + i, &value, width);
}

static void move(struct SimOperation* operation) {
  uint8_t* to = sim_bytes_at(&operation->to);
  const uint8_t* from = operation->kind == SIM_COPY ? sim_bytes_at(&operation->from) : NULL;
  hold(operation->to.allocation);
  hold(operation->from.allocation);
  sim_unlock();
  if (from != NULL) {
    memmove(to, from, operation->bytes);
  } else {
    fill(to, operation->bytes, operation->value, operation->width);
  }
  sim_lock();
  let_go(operation->to.allocation);
  let_go(operation->from.allocation);
}

static void drop_use(struct SimAllocation* allocation) {
  if (allocation != NULL) allocation->uses--;
}

static int run_move(struct SimStream* stream, struct SimOperation* operation) {
  if (operation->delayed && sim_device_code(stream->device) == SIM_OK) work_for(sim.options[SIM_DELAY_MICROS]);
  int code = operation->lost != SIM_OK ? operation->lost : sim_device_code(stream->device);
  if (code == SIM_OK) {
    if (!usable(&operation->to, operation) || !usable(&operation->from, operation)) code = SIM_ILLEGAL_ADDRESS;
    if (code == SIM_OK) code = sim_injected_copy();
    if (code == SIM_OK) {
      move(operation);
    } else {
      sim.errors[stream->device] = code;
    }
  }
  drop_use(operation->to.allocation);
  drop_use(operation->from.allocation);
  return code;
}

/* As on real devices: after an error host functions are skipped, while callbacks get it. */
static int run_host_code(struct SimStream* stream, struct SimOperation* operation) {
  int code = sim_device_code(stream->device);
  uint64_t handle = stream->handle;
  while (sim.calling > 0 && sim_mode(SIM_SERIAL_CALLBACKS)) sim_wait_for_change();
  sim.calling++;
  sim_unlock();
  sim_in_callback = true;
  if (operation->kind == SIM_CALL_BACK) {
    operation->callback(handle, code, operation->data);
  } else if (code == SIM_OK) {
    operation->function(operation->data);
  }
  sim_in_callback = false;
  sim_lock();
  sim.calling--;
  sim.live[SIM_CALLBACK]--;
  return code;
}

static int run(struct SimStream* stream, struct SimOperation* operation) {
  switch (operation->kind) {
    case SIM_COPY:
    case SIM_FILL:
      return run_move(stream, operation);
    case SIM_HOST_FUNCTION:
    case SIM_CALL_BACK:
      return run_host_code(stream, operation);
    case SIM_RECORD:
      operation->mark->done = true;
      operation->mark->nanos = sim_nanos();
      operation->mark->code = sim_device_code(stream->device);
      return operation->mark->code;
    case SIM_ALLOCATE:
      operation->allocation->ready = true;
      return SIM_OK;
    case SIM_FREE:
      sim.freeing_bytes[operation->allocation->device] -= (int64_t)operation->allocation->bytes;
      sim_release(operation->allocation);
      return SIM_OK;
    case SIM_WAIT_VALUE:
      drop_use(operation->from.allocation);
      break;
    case SIM_WAIT:
      break;
  }
  return sim_device_code(stream->device);
}

void sim_run(struct SimStream* stream, struct SimOperation* operation) {
  static const char* const names[] = {"copy",          "fill",     "record",   "wait",
                                      "host function", "callback", "allocate", "free",
                                      "wait for a value"};
  int code = run(stream, operation);
  sim_trace("ran %s of operation %" PRIu64 " stream=0x%" PRIx64 " = %d", names[operation->kind], operation->order,
            stream->handle, code);
}
