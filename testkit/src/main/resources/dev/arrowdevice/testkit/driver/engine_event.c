/* Events: each recording is a mark of its own, so that a later recording or the event's end does not affect those who wait for this one. */
#include <inttypes.h>
#include <stdlib.h>

#include "engine.h"

struct SimMark* sim_mark_new(void) {
  struct SimMark* mark = sim_must(calloc(1, sizeof *mark));
  mark->references = 1;
  return mark;
}

struct SimMark* sim_mark_keep(struct SimMark* mark) {
  mark->references++;
  return mark;
}

void sim_mark_drop(struct SimMark* mark) {
  if (--mark->references == 0) free(mark);
}

int sim_event_create(int device, unsigned flags, uint64_t* out) {
  struct SimEvent* event = sim_must(calloc(1, sizeof *event));
  event->device = device;
  event->flags = flags;
  event->handle = sim_table_add(SIM_EVENTS, event);
  sim.live[SIM_EVENT]++;
  sim_detail(" event=0x%" PRIx64, event->handle);
  *out = event->handle;
  return SIM_OK;
}

int sim_event_find(uint64_t handle, struct SimEvent** out) {
  sim_detail(" event=0x%" PRIx64, handle);
  *out = sim_table_get(handle, SIM_EVENTS);
  if (*out != NULL) return SIM_OK;
  sim_violation("%s got 0x%" PRIx64 ", %s", sim_call_name(), handle,
                sim_table_had(handle, SIM_EVENTS) ? "an event that has been destroyed" : "which is no event");
  return SIM_INVALID_HANDLE;
}

/* What waits for the latest recording still waits for it. */
int sim_event_destroy(uint64_t handle) {
  struct SimEvent* event;
  int code = sim_event_find(handle, &event);
  if (code != SIM_OK) return code;
  if (event->mark != NULL) {
    event->mark->paused = false;
    sim_mark_drop(event->mark);
  }
  sim_table_remove(handle);
  free(event);
  sim.live[SIM_EVENT]--;
  sim_changed();
  return SIM_OK;
}

int sim_event_record(uint64_t handle, uint64_t stream_handle) {
  struct SimEvent* event;
  struct SimStream* stream;
  int code = sim_event_find(handle, &event);
  if (code == SIM_OK) code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK) return code;
  if (event->device != stream->device) {
    sim_violation("%s of an event of device %d on a stream of device %d", sim_call_name(), event->device, stream->device);
    return SIM_INVALID_HANDLE;
  }
  if (event->mark != NULL) sim_mark_drop(event->mark);
  event->mark = sim_enqueue_mark(stream);
  event->mark->paused = event->paused;
  sim_detail(" operation=%" PRIu64, stream->last->order);
  return SIM_OK;
}

int sim_event_query(uint64_t handle) {
  struct SimEvent* event;
  int code = sim_event_find(handle, &event);
  if (code != SIM_OK || event->mark == NULL) return code;
  return event->mark->done ? event->mark->code : SIM_NOT_READY;
}

int sim_event_await(uint64_t handle) {
  struct SimEvent* event;
  int code = sim_event_find(handle, &event);
  if (code != SIM_OK || event->mark == NULL) return code;
  return sim_await(sim_mark_keep(event->mark));
}

int sim_event_wait_on(uint64_t stream_handle, uint64_t handle) {
  struct SimEvent* event;
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code == SIM_OK) code = sim_event_find(handle, &event);
  if (code != SIM_OK || event->mark == NULL) return code;
  sim_enqueue(stream, SIM_WAIT)->mark = sim_mark_keep(event->mark);
  sim_detail(" operation=%" PRIu64, stream->last->order);
  return SIM_OK;
}

int sim_event_elapsed(float* millis, uint64_t start, uint64_t end, unsigned no_timing) {
  struct SimEvent *first, *second;
  int code = sim_event_find(start, &first);
  if (code == SIM_OK) code = sim_event_find(end, &second);
  if (code != SIM_OK) return code;
  if (first->mark == NULL || second->mark == NULL || ((first->flags | second->flags) & no_timing)) {
    return SIM_INVALID_HANDLE;
  }
  if (!first->mark->done || !second->mark->done) return SIM_NOT_READY;
  *millis = (float)(second->mark->nanos - first->mark->nanos) / 1e6f;
  return SIM_OK;
}

static void set_paused(struct SimEvent* event, bool paused) {
  event->paused = paused;
  if (event->mark != NULL) event->mark->paused = paused;
}

void sim_let_events_go(void) {
  bool end = false;
  for (uint64_t i = 0; !end; i++) {
    struct SimEvent* event = sim_table_at(i, SIM_EVENTS, &end);
    if (event != NULL) set_paused(event, false);
  }
}

/* A paused event does not complete, whatever its stream has done. */
SIM_API int sim_pause_event(uint64_t handle, int64_t paused) {
  sim_lock();
  struct SimEvent* event = sim_table_get(handle, SIM_EVENTS);
  if (event != NULL) {
    set_paused(event, paused != 0);
    sim_changed();
  }
  sim_unlock();
  return event != NULL ? SIM_OK : SIM_INVALID_HANDLE;
}
