/* The calls that the async producer makes, and in which order. */
#include <stdlib.h>
#include <string.h>

#include "peer_async_producer.h"

bool peer_async_has(const struct PeerAsync* async, int64_t flag) { return (async->options.flags & flag) != 0; }

static enum PeerAsyncCall before_schema(struct PeerAsync* async) {
  if (peer_async_has(async, PEER_ASYNC_ERROR_FIRST)) return PEER_CALL_ERROR;
  if (peer_async_has(async, PEER_ASYNC_RELEASE_FIRST)) return PEER_CALL_RELEASE;
  if (peer_async_has(async, PEER_ASYNC_TASK_FIRST) && async->tasks_sent == 0) return PEER_CALL_TASK;
  return PEER_CALL_SCHEMA;
}

/* "It should finish out any remaining tasks … and eventually just call release." */
static enum PeerAsyncCall after_cancel(struct PeerAsync* async) {
  bool more = async->tasks_sent < async->options.batches && async->demand > 0;
  if (more && async->late_tasks < async->options.after_cancel) return PEER_CALL_TASK;
  if (peer_async_has(async, PEER_ASYNC_ERROR_AFTER_CANCEL)) return PEER_CALL_ERROR;
  if (peer_async_has(async, PEER_ASYNC_END_AFTER_CANCEL)) return PEER_CALL_END;
  return PEER_CALL_RELEASE;
}

static enum PeerAsyncCall at_end(struct PeerAsync* async) {
  if (peer_async_has(async, PEER_ASYNC_END_NEEDS_DEMAND) && async->demand <= 0) return PEER_CALL_NONE;
  return peer_async_has(async, PEER_ASYNC_NO_END) ? PEER_CALL_RELEASE : PEER_CALL_END;
}

static enum PeerAsyncCall wanted(struct PeerAsync* async) {
  if (async->released) return PEER_CALL_NONE;
  if (async->finished) return PEER_CALL_RELEASE;
  if (async->refused) {
    return peer_async_has(async, PEER_ASYNC_ERROR_AFTER_REFUSAL) ? PEER_CALL_ERROR : PEER_CALL_RELEASE;
  }
  if (async->schemas_sent == 0) return before_schema(async);
  if (async->schemas_sent == 1 && peer_async_has(async, PEER_ASYNC_SCHEMA_TWICE)) return PEER_CALL_SCHEMA;
  if (async->task_failed && !peer_async_has(async, PEER_ASYNC_NO_ERROR_AFTER_TASK)) return PEER_CALL_ERROR;
  if (async->cancelled) return after_cancel(async);
  if (async->options.error_after >= 0 && async->tasks_sent >= async->options.error_after) return PEER_CALL_ERROR;
  if (async->tasks_sent >= async->options.batches) return at_end(async);
  return async->demand > 0 ? PEER_CALL_TASK : PEER_CALL_NONE;
}

enum PeerAsyncCall peer_async_next(struct PeerAsync* async) {
  if (async->permits == 0) return PEER_CALL_NONE;
  enum PeerAsyncCall call = wanted(async);
  bool kept = peer_async_has(async, PEER_ASYNC_NEVER_RELEASES) && !async->release_allowed;
  return call == PEER_CALL_RELEASE && kept ? PEER_CALL_NONE : call;
}

static void event(struct PeerAsync* async, int stat, const char* text, int64_t number) {
  peer_monitor_lock(&async->monitor);
  peer_monitor_event(&async->monitor, stat, text, (long long)number);
  peer_monitor_unlock(&async->monitor);
}

/* Metadata and messages are "only valid within the scope" of a call: the copy that is passed is spoiled after it. */
static char* passed(struct PeerBytes original) {
  if (original.bytes == NULL) return NULL;
  char* copy = malloc((size_t)original.size);
  if (copy == NULL) abort();
  return memcpy(copy, original.bytes, (size_t)original.size);
}

static void spoil(char* copy, struct PeerBytes original) {
  if (copy == NULL) return;
  memset(copy, 0xDD, (size_t)original.size);
  free(copy);
}

static void refuse(struct PeerAsync* async) {
  peer_monitor_lock(&async->monitor);
  async->refused = true;
  peer_monitor_unlock(&async->monitor);
}

static void send_schema(struct PeerAsync* async) {
  struct ArrowSchema schema;
  memset(&schema, 0, sizeof schema);
  bool null = peer_async_has(async, PEER_ASYNC_NULL_SCHEMA);
  if (!null && peer_produce_schema(async->spec, 0, &schema) != 0) abort();
  async->handler->producer = peer_async_has(async, PEER_ASYNC_NULL_PRODUCER) ? NULL : async->producer;
  if (peer_async_has(async, PEER_ASYNC_NULL_REQUEST)) async->producer->request = NULL;
  if (peer_async_has(async, PEER_ASYNC_NULL_CANCEL)) async->producer->cancel = NULL;
  peer_monitor_lock(&async->monitor);
  bool first = async->schemas_sent++ == 0;
  peer_monitor_event(&async->monitor, -1, "schema");
  peer_monitor_unlock(&async->monitor);
  int code = async->handler->on_schema(async->handler, null ? NULL : &schema);
  if (schema.release != NULL) {
    event(async, PA_SCHEMAS_LEFT, "violation: the schema was left", 0);
    if (peer_async_has(async, PEER_ASYNC_GUARDS_SCHEMA)) schema.release(&schema);
  }
  memset(&schema, 0xDD, sizeof schema);
  if (code == 0) return;
  event(async, PA_SCHEMA_REFUSED, "on_schema returned %lld", code);
  /* A second on_schema is this side's own fault, and so is a task before the first. */
  if (first) refuse(async);
}

static void send_task(struct PeerAsync* async) {
  peer_monitor_lock(&async->monitor);
  struct PeerTask* task = peer_async_new_task(async);
  bool before_schema = async->schemas_sent == 0;
  if (!before_schema) async->demand--;
  if (async->cancelled) async->late_tasks++;
  peer_monitor_event(&async->monitor, PA_TASKS, "task %lld", (long long)task->index);
  peer_monitor_unlock(&async->monitor);
  struct ArrowAsyncTask struct_task = {peer_async_extract, task};
  if (peer_async_has(async, PEER_ASYNC_NULL_EXTRACT)) struct_task.extract_data = NULL;
  char* metadata = passed(async->options.task_metadata);
  int code = async->handler->on_next_task(async->handler, &struct_task, metadata);
  /* "This task object is only valid during the lifetime of this function call." */
  memset(&struct_task, 0xDD, sizeof struct_task);
  spoil(metadata, async->options.task_metadata);
  if (code == 0) return;
  event(async, -1, "on_next_task returned %lld", code);
  peer_async_take_back(task);
  if (!before_schema) refuse(async);
}

static void send_end(struct PeerAsync* async) {
  event(async, PA_ENDS, "end", 0);
  async->handler->on_next_task(async->handler, NULL, NULL);
}

static void set_quiet(struct PeerAsync* async, bool quiet) {
  peer_monitor_lock(&async->monitor);
  async->quiet = quiet;
  async->quiet_thread = pthread_self();
  peer_monitor_unlock(&async->monitor);
}

static void send_error(struct PeerAsync* async) {
  const char* text = async->options.message;
  struct PeerBytes bytes = {text, text == NULL ? 0 : (int64_t)strlen(text) + 1};
  event(async, PA_ERRORS, "error", 0);
  char* message = passed(bytes);
  char* metadata = passed(async->options.error_metadata);
  set_quiet(async, true);
  async->handler->on_error(async->handler, (int)async->options.error_code, message, metadata);
  set_quiet(async, false);
  spoil(message, bytes);
  spoil(metadata, async->options.error_metadata);
}

/* Whoever still calls is counted. */
static void gone_request(struct ArrowAsyncProducer* self, int64_t n) {
  event(self->private_data, PA_VIOLATIONS, "violation: request %lld of a producer that is gone", n);
}

static void gone_cancel(struct ArrowAsyncProducer* self) {
  event(self->private_data, PA_VIOLATIONS, "violation: cancel of a producer that is gone", 0);
}

/* The handler may be gone, so a copy of it stands for it. */
static void call_again(struct PeerAsync* async, struct ArrowAsyncDeviceStreamHandler* copy) {
  struct ArrowSchema schema;
  if (peer_produce_schema(async->spec, 0, &schema) != 0) abort();
  peer_monitor_lock(&async->monitor);
  struct PeerTask* task = peer_async_new_task(async);
  peer_monitor_event(&async->monitor, PA_TASKS, "late task %lld", (long long)task->index);
  peer_monitor_unlock(&async->monitor);
  struct ArrowAsyncTask struct_task = {peer_async_extract, task};
  copy->on_schema(copy, &schema);
  if (schema.release != NULL) schema.release(&schema);
  if (copy->on_next_task(copy, &struct_task, NULL) != 0) peer_async_take_back(task);
  copy->on_next_task(copy, NULL, NULL);
  copy->on_error(copy, 5, "too late", NULL);
  copy->release(copy);
}

static void send_release(struct PeerAsync* async) {
  struct ArrowAsyncDeviceStreamHandler copy = *async->handler;
  peer_monitor_lock(&async->monitor);
  async->released = true;
  if (peer_async_has(async, PEER_ASYNC_FREES_PRODUCER)) {
    async->producer->request = gone_request;
    async->producer->cancel = gone_cancel;
  }
  peer_monitor_unlock(&async->monitor);
  set_quiet(async, true);
  async->handler->release(async->handler);
  set_quiet(async, false);
  if (peer_async_has(async, PEER_ASYNC_CALLS_AFTER_RELEASE)) call_again(async, &copy);
  peer_count(PEER_RELEASED, 1);
  peer_count(PEER_LIVE_NODES, -1);
  event(async, PA_RELEASES, "release", 0);
}

void peer_async_call(struct PeerAsync* async, enum PeerAsyncCall call) {
  pthread_mutex_lock(&async->calls);
  peer_monitor_lock(&async->monitor);
  /* Another thread may have made the call meanwhile, or one that rules it out. */
  if (peer_async_next(async) != call) call = PEER_CALL_NONE;
  if (call != PEER_CALL_NONE && async->permits > 0) async->permits--;
  if (call == PEER_CALL_END || call == PEER_CALL_ERROR) async->finished = true;
  peer_monitor_unlock(&async->monitor);
  if (call == PEER_CALL_SCHEMA) send_schema(async);
  if (call == PEER_CALL_TASK) send_task(async);
  if (call == PEER_CALL_END) send_end(async);
  if (call == PEER_CALL_ERROR) send_error(async);
  if (call == PEER_CALL_RELEASE) send_release(async);
  if (call != PEER_CALL_NONE) {
    peer_monitor_lock(&async->monitor);
    async->monitor.stats[PA_RETURNED]++;
    pthread_cond_broadcast(&async->monitor.changed);
    peer_monitor_unlock(&async->monitor);
  }
  pthread_mutex_unlock(&async->calls);
}
