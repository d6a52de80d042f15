/* Streams: a thread each, which takes one operation after the other, when nothing holds it back. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "engine.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifdef __linux__
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
  pthread_cond_init(&changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

void sim_lock(void) {
  pthread_once(&once, prepare);
  pthread_mutex_lock(&mutex);
}

void sim_unlock(void) { pthread_mutex_unlock(&mutex); }
void sim_changed(void) { pthread_cond_broadcast(&changed); }
void sim_wait_for_change(void) { pthread_cond_wait(&changed, &mutex); }

int64_t sim_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct SimStream* find_listed(uint64_t handle, int device) {
  for (struct SimStream* it = sim.streams; it != NULL; it = it->next) {
    if (it->handle == handle && it->device == device) return it;
  }
  return NULL;
}

static bool has_earlier(const struct SimStream* stream, uint64_t order) {
  return stream != NULL && stream->first != NULL && stream->first->order < order;
}

/* The legacy default stream waits for the streams that block with it, and they for it. */
static bool default_stream_allows(const struct SimStream* stream, const struct SimOperation* operation) {
  if (stream->flags & SIM_NON_BLOCKING) return true;
  if (stream->handle != SIM_LEGACY_STREAM) {
    return !has_earlier(find_listed(SIM_LEGACY_STREAM, stream->device), operation->order);
  }
  for (struct SimStream* it = sim.streams; it != NULL; it = it->next) {
    if (it == stream || it->device != stream->device || (it->flags & SIM_NON_BLOCKING)) continue;
    if (has_earlier(it, operation->order)) return false;
  }
  return true;
}

/* As CU_STREAM_WAIT_VALUE_GEQ, _EQ, _AND and _NOR. */
static bool has_value(const struct SimOperation* operation) {
  uint32_t word = __atomic_load_n((uint32_t*)sim_bytes_at(&operation->from), __ATOMIC_ACQUIRE);
  switch (operation->width) {
    case 0: return (int32_t)(word - operation->value) >= 0;
    case 1: return word == operation->value;
    case 2: return (word & operation->value) != 0;
    default: return ~(word | operation->value) != 0;
  }
}

/* Of a word that the host writes nobody hears: it is looked at again and again, also when the device has failed. */
static void poll_again(void) {
  struct timespec time = {.tv_sec = 0, .tv_nsec = 100000};
  sim_unlock();
  nanosleep(&time, NULL);
  sim_lock();
}

static bool polls(const struct SimStream* stream, const struct SimOperation* operation) {
  return operation->kind == SIM_WAIT_VALUE && operation->from.allocation->memory != NULL &&
         operation->lost == SIM_OK && sim.lost[stream->device] == SIM_OK && !has_value(operation);
}

static bool ready(const struct SimStream* stream, const struct SimOperation* operation) {
  if (sim.paused || stream->paused) return false;
  if (operation->kind == SIM_WAIT && !operation->mark->done) return false;
  if (operation->kind == SIM_RECORD && operation->mark->paused) return false;
  return default_stream_allows(stream, operation);
}

static void finish(struct SimStream* stream, struct SimOperation* operation) {
  stream->first = operation->next;
  if (stream->first == NULL) stream->last = NULL;
  stream->queued--;
  sim.live[SIM_QUEUED]--;
  if (operation->mark != NULL) sim_mark_drop(operation->mark);
  free(operation);
  sim_changed();
}

static void unlist(struct SimStream* stream) {
  struct SimStream** link = &sim.streams;
  while (*link != stream) link = &(*link)->next;
  *link = stream->next;
}

static void* work(void* argument) {
  struct SimStream* stream = argument;
  sim_lock();
  while (stream->first != NULL || !stream->closing) {
    struct SimOperation* operation = stream->first;
    if (operation == NULL || !ready(stream, operation)) {
      sim_wait_for_change();
      continue;
    }
    if (polls(stream, operation)) {
      poll_again();
      continue;
    }
    sim_run(stream, operation);
    finish(stream, operation);
  }
  unlist(stream);
  free(stream);
  sim_unlock();
  return NULL;
}

static int start(uint64_t handle, int device, unsigned flags, int priority, struct SimStream** out) {
  struct SimStream* stream = sim_must(calloc(1, sizeof *stream));
  stream->handle = handle;
  stream->device = device;
  stream->flags = flags;
  stream->priority = priority;
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, stream) != 0) {
    free(stream);
    return SIM_OUT_OF_MEMORY;
  }
  pthread_detach(thread);
  stream->next = sim.streams;
  sim.streams = stream;
  *out = stream;
  return SIM_OK;
}

int sim_stream_create(int device, unsigned flags, int priority, uint64_t* out) {
  if (flags & ~SIM_NON_BLOCKING) return SIM_INVALID_VALUE;
  struct SimStream* stream;
  int code = start(0, device, flags, priority, &stream);
  if (code != SIM_OK) return code;
  stream->handle = sim_table_add(SIM_STREAMS, stream);
  sim.live[SIM_STREAM]++;
  sim_detail(" stream=0x%" PRIx64, stream->handle);
  *out = stream->handle;
  return SIM_OK;
}

/* What is queued is still done. */
int sim_stream_destroy(uint64_t handle) {
  if (handle <= SIM_PER_THREAD_STREAM) {
    sim_violation("%s of a default stream", sim_call_name());
    return SIM_INVALID_HANDLE;
  }
  struct SimStream* stream;
  int code = sim_stream_find(handle, &stream);
  if (code != SIM_OK) return code;
  sim_table_remove(handle);
  stream->closing = true;
  sim.live[SIM_STREAM]--;
  sim_changed();
  return SIM_OK;
}

static int find_default(uint64_t handle, struct SimStream** out) {
  int device = sim_face_device();
  if (device < 0) return sim_face_no_device();
  *out = find_listed(handle, device);
  return *out != NULL ? SIM_OK : start(handle, device, 0, 0, out);
}

int sim_stream_find(uint64_t handle, struct SimStream** out) {
  sim_detail(" stream=0x%" PRIx64, handle);
  if (handle == 0) return find_default(SIM_LEGACY_STREAM, out);
  if (handle <= SIM_PER_THREAD_STREAM) return find_default(handle, out);
  *out = sim_table_get(handle, SIM_STREAMS);
  if (*out != NULL) return SIM_OK;
  sim_violation("%s got 0x%" PRIx64 ", %s", sim_call_name(), handle,
                sim_table_had(handle, SIM_STREAMS) ? "a stream that has been destroyed" : "which is no stream");
  return SIM_INVALID_HANDLE;
}

struct SimOperation* sim_enqueue(struct SimStream* stream, enum SimOperationKind kind) {
  struct SimOperation* operation = sim_must(calloc(1, sizeof *operation));
  operation->kind = kind;
  operation->order = ++sim.order;
  if (stream->last == NULL) {
    stream->first = operation;
  } else {
    stream->last->next = operation;
  }
  stream->last = operation;
  stream->queued++;
  sim.live[SIM_QUEUED]++;
  sim_changed();
  return operation;
}

/* One reference is the operation's, one the caller's. */
struct SimMark* sim_enqueue_mark(struct SimStream* stream) {
  struct SimMark* mark = sim_mark_new();
  sim_enqueue(stream, SIM_RECORD)->mark = sim_mark_keep(mark);
  return mark;
}

int sim_await(struct SimMark* mark) {
  while (!mark->done) sim_wait_for_change();
  int code = mark->code;
  sim_mark_drop(mark);
  return code;
}

/* For all that was queued before; not for what comes meanwhile. */
int sim_await_device(int device) {
  uint64_t until = sim.order;
  for (struct SimStream* it = sim.streams; it != NULL;) {
    if (it->device == device && has_earlier(it, until + 1)) {
      sim_wait_for_change();
      it = sim.streams; /* the list may have changed */
    } else {
      it = it->next;
    }
  }
  return sim_device_code(device);
}

/* What frees memory or pins it may wait for all that is queued anywhere. */
void sim_await_implicitly(void) {
  if (!sim_mode(SIM_IMPLICIT_SYNCHRONIZATION)) return;
  for (int device = 0; device < SIM_MAX_DEVICES; device++) sim_await_device(device);
}

/* What a driver does whose callbacks are still pending when the process ends: it calls them, whoever is gone by now. */
__attribute__((destructor)) static void call_at_exit(void) {
  if (!sim_mode(SIM_CALLBACKS_AT_EXIT)) return;
  for (struct SimStream* stream = sim.streams; stream != NULL; stream = stream->next) {
    for (struct SimOperation* it = stream->first; it != NULL; it = it->next) {
      if (it->kind == SIM_CALL_BACK) it->callback(stream->handle, SIM_NOT_INITIALIZED, it->data);
      if (it->kind == SIM_HOST_FUNCTION) it->function(it->data);
    }
  }
}

int sim_stream_query(const struct SimStream* stream) { return stream->first == NULL ? SIM_OK : SIM_NOT_READY; }

void sim_expect_unused(int device, const char* end) {
  int64_t count = 0;
  for (struct SimStream* it = sim.streams; it != NULL; it = it->next) {
    if (it->device == device && it->handle > SIM_PER_THREAD_STREAM && !it->closing) count++;
  }
  int64_t bytes = sim.device_bytes[device] - sim.freeing_bytes[device];
  if (count == 0 && bytes == 0) return;
  sim_violation("%s of device %d while %" PRId64 " streams and %" PRId64 " bytes of it are live", end, device, count,
                bytes);
}

SIM_API int sim_pause(uint64_t handle, int64_t paused) {
  sim_lock();
  struct SimStream* stream = handle == 0 ? NULL : sim_table_get(handle, SIM_STREAMS);
  int code = SIM_OK;
  if (handle == 0) {
    sim.paused = paused != 0;
  } else if (stream != NULL) {
    stream->paused = paused != 0;
  } else {
    code = SIM_INVALID_HANDLE;
  }
  sim_changed();
  sim_unlock();
  return code;
}

SIM_API int64_t sim_queued(uint64_t handle) {
  sim_lock();
  struct SimStream* stream = sim_table_get(handle, SIM_STREAMS);
  int64_t queued = stream == NULL ? -1 : stream->queued;
  sim_unlock();
  return queued;
}

/* Until nothing is queued or running anywhere; how much still is after that time. */
SIM_API int64_t sim_await_idle(int64_t millis) {
  int64_t end = sim_nanos() + millis * 1000000;
  sim_lock();
#ifdef __linux__
  struct timespec until = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
#else
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += millis / 1000 + 1;
#endif
  while (sim.live[SIM_QUEUED] > 0 && pthread_cond_timedwait(&changed, &mutex, &until) != ETIMEDOUT) {
  }
  int64_t left = sim.live[SIM_QUEUED];
  sim_unlock();
  return left;
}
