/* Functions for tests. Others are beside their subject: sim_pause, sim_fail_next and more. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "engine_text.h"

SIM_API int sim_set(int64_t option, int64_t value) {
  if (option < 0 || option >= SIM_OPTIONS || value < 0) return SIM_INVALID_VALUE;
  if (option == SIM_DEVICES && value > SIM_MAX_DEVICES) return SIM_INVALID_VALUE;
  sim_lock();
  sim.options[option] = value;
  sim_unlock();
  return SIM_OK;
}

SIM_API int64_t sim_live(int64_t kind, int64_t bytes) {
  if (kind < 0 || kind >= SIM_KINDS) return -1;
  sim_lock();
  int64_t value = bytes ? sim.live_bytes[kind] : sim.live[kind];
  sim_unlock();
  return value;
}

static void describe_streams(struct SimText* text) {
  for (const struct SimStream* it = sim.streams; it != NULL; it = it->next) {
    char line[160];
    if (it->queued == 0 && it->handle <= SIM_PER_THREAD_STREAM) continue;
    snprintf(line, sizeof line, "stream 0x%" PRIx64 ", %" PRId64 " queued, device %d%s%s", it->handle, it->queued,
             it->device, it->paused ? ", paused" : "", it->closing ? ", destroyed" : "");
    sim_text_add(text, line);
  }
}

/* 0: what is live, 1: the trace, 2: the violations. */
SIM_API char* sim_text(int64_t which) {
  struct SimText text = {sim_must(calloc(1, 1)), 0};
  sim_lock();
  if (which == 0) {
    sim_describe_memory(sim_text_add, &text);
    describe_streams(&text);
  } else if (which == 1) {
    sim_trace_to(&text);
  } else {
    sim_violations_to(&text);
  }
  sim_unlock();
  return text.bytes;
}

SIM_API void sim_text_free(char* text) { free(text); }

SIM_API int64_t sim_violations(void) {
  sim_lock();
  int64_t count = sim_violation_count();
  sim_unlock();
  return count;
}

static void clear_errors(void) {
  memset(sim.errors, 0, sizeof sim.errors);
  memset(sim.lost, 0, sizeof sim.lost);
  sim_clear_faults();
  sim_changed();
}

SIM_API void sim_clear_errors(void) {
  sim_lock();
  clear_errors();
  sim_unlock();
}

SIM_API void sim_forget(void) {
  sim_lock();
  sim_clear_texts();
  sim_unlock();
}

/* Back to how it was loaded, but for what is live. */
SIM_API void sim_reset(void) {
  sim_lock();
  sim.paused = false;
  for (struct SimStream* it = sim.streams; it != NULL; it = it->next) it->paused = false;
  sim_let_events_go();
  sim_default_options();
  clear_errors();
  sim_clear_texts();
  sim_unlock();
}

/* Lets the kernel read the byte: it reports what would end the process. */
SIM_API int sim_host_can_read(const void* address) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  int readable = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}

static int exchange(uint64_t address, void* host, uint64_t bytes, bool in) {
  sim_lock();
  struct SimAllocation* allocation = sim_find(address);
  int code = SIM_INVALID_VALUE;
  if (allocation != NULL && allocation->state != SIM_FREED &&
      bytes <= allocation->bytes - (address - allocation->base)) {
    struct SimSpan span = {allocation, address};
    memcpy(in ? sim_bytes_at(&span) : host, in ? host : sim_bytes_at(&span), bytes);
    code = SIM_OK;
  }
  sim_unlock();
  return code;
}

/* The bytes of device memory as they are now, whatever is queued. */
SIM_API int sim_peek(uint64_t address, void* out, uint64_t bytes) { return exchange(address, out, bytes, false); }
SIM_API int sim_poke(uint64_t address, void* in, uint64_t bytes) { return exchange(address, in, bytes, true); }
