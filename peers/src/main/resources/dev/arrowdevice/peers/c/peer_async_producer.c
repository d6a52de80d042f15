/*
 * Produces async streams: threads that make their calls in turn, and what the consumer calls back. The order of the
 * calls is in peer_async_calls.c, the tasks are in peer_async_tasks.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "peer_async_producer.h"

struct Worker {
  struct PeerAsync* async;
  int64_t index;
};

static void* produce(void* argument) {
  struct Worker worker = *(struct Worker*)argument;
  struct PeerAsync* async = worker.async;
  free(argument);
  peer_monitor_lock(&async->monitor);
  while (!async->closing && !async->released) {
    enum PeerAsyncCall call = async->turn == worker.index ? peer_async_next(async) : PEER_CALL_NONE;
    if (call == PEER_CALL_TASK && peer_async_has(async, PEER_ASYNC_INLINE_TASKS)) call = PEER_CALL_NONE;
    if (async->cancelled && peer_async_has(async, PEER_ASYNC_CANCELS_INLINE)) call = PEER_CALL_NONE;
    if (call == PEER_CALL_NONE) {
      pthread_cond_wait(&async->monitor.changed, &async->monitor.mutex);
      continue;
    }
    peer_monitor_unlock(&async->monitor);
    peer_async_call(async, call);
    peer_monitor_lock(&async->monitor);
    async->turn = (async->turn + 1) % async->options.threads;
    pthread_cond_broadcast(&async->monitor.changed);
  }
  peer_monitor_unlock(&async->monitor);
  return NULL;
}

/* Makes the calls that are due on the thread of whoever calls us: only the inline variants do. */
static void call_inline(struct PeerAsync* async, bool tasks_only) {
  pthread_mutex_lock(&async->calls);
  while (true) {
    peer_monitor_lock(&async->monitor);
    enum PeerAsyncCall call = peer_async_next(async);
    peer_monitor_unlock(&async->monitor);
    if (call == PEER_CALL_NONE || (tasks_only && call != PEER_CALL_TASK)) break;
    peer_async_call(async, call);
  }
  pthread_mutex_unlock(&async->calls);
}

/* "This must not call any methods of an ArrowAsyncProducer object", of on_error and release. */
static void check_call(struct PeerAsync* async, const char* what) {
  if (async->released) peer_monitor_event(&async->monitor, PA_LATE_CALLS, "late %s", what);
  if (async->quiet && pthread_equal(async->quiet_thread, pthread_self())) {
    peer_monitor_event(&async->monitor, PA_VIOLATIONS, "violation: %s within on_error or release", what);
  }
}

static void request(struct ArrowAsyncProducer* self, int64_t n) {
  struct PeerAsync* async = self->private_data;
  peer_monitor_lock(&async->monitor);
  check_call(async, "request");
  async->monitor.stats[PA_REQUESTED] += n;
  peer_monitor_event(&async->monitor, PA_REQUESTS, "request %lld", (long long)n);
  if (n <= 0) peer_monitor_event(&async->monitor, PA_VIOLATIONS, "violation: request of %lld", (long long)n);
  /* "After cancel is called, additional calls to this function must be a NOP, but allowed." */
  if (!async->cancelled && n > 0) async->demand += n + (peer_async_has(async, PEER_ASYNC_SURPLUS) ? 1 : 0);
  peer_monitor_unlock(&async->monitor);
  if (peer_async_has(async, PEER_ASYNC_INLINE_TASKS)) call_inline(async, true);
}

static void cancel(struct ArrowAsyncProducer* self) {
  struct PeerAsync* async = self->private_data;
  peer_monitor_lock(&async->monitor);
  check_call(async, "cancel");
  bool first = !async->cancelled;
  async->cancelled = true;
  peer_monitor_event(&async->monitor, PA_CANCELS, "cancel");
  while (peer_async_has(async, PEER_ASYNC_CANCEL_AWAITS_RELEASE) && async->monitor.stats[PA_RELEASES] == 0) {
    pthread_cond_wait(&async->monitor.changed, &async->monitor.mutex);
  }
  peer_monitor_unlock(&async->monitor);
  if (first && peer_async_has(async, PEER_ASYNC_CANCELS_INLINE)) call_inline(async, false);
}

static struct PeerBytes copied(const char* bytes, int64_t size) {
  struct PeerBytes copy = {bytes == NULL ? NULL : malloc((size_t)size), size};
  if (bytes == NULL) return copy;
  if (copy.bytes == NULL) abort();
  memcpy((char*)copy.bytes, bytes, (size_t)size);
  return copy;
}

int peer_async_open(const char* spec, const struct PeerOptions* options, const struct PeerAsyncOptions* async_options,
                    struct PeerAsync** out) {
  struct PeerAsync* async = calloc(1, sizeof *async);
  if (async == NULL) abort();
  peer_monitor_init(&async->monitor);
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&async->calls, &recursive);
  pthread_mutexattr_destroy(&recursive);
  const struct PeerAsyncOptions* given = async_options;
  async->options = *given;
  async->options.message = copied(given->message, given->message == NULL ? 0 : (int64_t)strlen(given->message) + 1).bytes;
  async->options.stream_metadata = copied(given->stream_metadata.bytes, given->stream_metadata.size);
  async->options.task_metadata = copied(given->task_metadata.bytes, given->task_metadata.size);
  async->options.error_metadata = copied(given->error_metadata.bytes, given->error_metadata.size);
  async->batch = *options;
  async->spec = (char*)copied(spec, (int64_t)strlen(spec) + 1).bytes;
  async->permits = async_options->permits;
  async->producer = calloc(1, sizeof *async->producer);
  async->threads = calloc((size_t)async_options->threads, sizeof *async->threads);
  if (async->producer == NULL || async->threads == NULL) abort();
  async->producer->device_type = (ArrowDeviceType)async_options->device_type;
  async->producer->request = request;
  async->producer->cancel = cancel;
  async->producer->additional_metadata = async->options.stream_metadata.bytes;
  async->producer->private_data = async;
  *out = async;
  return 0;
}

int peer_async_start(struct PeerAsync* async, struct ArrowAsyncDeviceStreamHandler* handler) {
  if (async->handler != NULL) return peer_fail("the producer has a handler already");
  async->handler = handler;
  peer_count(PEER_PRODUCED, 1);
  peer_count(PEER_LIVE_NODES, 1);
  for (int64_t i = 0; i < async->options.threads; i++) {
    struct Worker* worker = malloc(sizeof *worker);
    if (worker == NULL) abort();
    *worker = (struct Worker){async, i};
    if (pthread_create(&async->threads[i], NULL, produce, worker) != 0) abort();
  }
  return 0;
}

void peer_async_allow(struct PeerAsync* async, int64_t permits) {
  peer_monitor_lock(&async->monitor);
  async->permits = permits < 0 ? -1 : async->permits + permits;
  peer_monitor_event(&async->monitor, -1, "allow %lld", (long long)permits);
  peer_monitor_unlock(&async->monitor);
}

void peer_async_release(struct PeerAsync* async) {
  peer_monitor_lock(&async->monitor);
  async->release_allowed = true;
  async->finished = true;
  pthread_cond_broadcast(&async->monitor.changed);
  peer_monitor_unlock(&async->monitor);
}

int64_t peer_async_stat(struct PeerAsync* async, int64_t stat) {
  peer_monitor_lock(&async->monitor);
  int64_t value = async->monitor.stats[stat];
  peer_monitor_unlock(&async->monitor);
  return value;
}

int peer_async_await(struct PeerAsync* async, int64_t stat, int64_t value, int64_t millis) {
  return peer_monitor_await(&async->monitor, stat, value, millis);
}

int peer_async_log(struct PeerAsync* async, char** text) { return peer_monitor_log(&async->monitor, text); }

void peer_async_close(struct PeerAsync* async) {
  peer_monitor_lock(&async->monitor);
  async->closing = true;
  pthread_cond_broadcast(&async->monitor.changed);
  peer_monitor_unlock(&async->monitor);
  if (async->handler != NULL) {
    for (int64_t i = 0; i < async->options.threads; i++) pthread_join(async->threads[i], NULL);
  }
  while (async->tasks != NULL) {
    struct PeerTask* next = async->tasks->next;
    free(async->tasks);
    async->tasks = next;
  }
  peer_monitor_destroy(&async->monitor);
  pthread_mutex_destroy(&async->calls);
  free((char*)async->options.message);
  free((char*)async->options.stream_metadata.bytes);
  free((char*)async->options.task_metadata.bytes);
  free((char*)async->options.error_metadata.bytes);
  free(async->spec);
  free(async->threads);
  memset(async->producer, 0xDD, sizeof *async->producer);
  free(async->producer);
  free(async);
}
