/*
 * Consumes async streams: a handler that checks whoever calls it. It stays readable after its release, so that a call
 * that comes too late is counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "peer_async.h"

/* A task that was copied out of on_next_task: "it must copy or move its contents". */
struct Kept {
  struct Kept* next;
  struct ArrowAsyncTask task;
  int64_t index;
  bool used;
};

struct PeerConsumer {
  struct PeerMonitor monitor; /* guards all that changes below */
  struct PeerConsumerOptions options;
  struct ArrowAsyncDeviceStreamHandler handler;
  struct ArrowAsyncProducer* producer;
  struct ArrowSchema schema;
  struct Kept* first;
  struct Kept** last;
  pthread_t thread;   /* extracts, where that is wanted */
  int64_t demand;     /* what was asked for and has not come */
  int busy;           /* a callback runs */
  bool over;          /* end, error, refusal: only release may come */
  bool cancelled;
  bool closing;
};

static bool has(const struct PeerConsumer* consumer, int64_t flag) { return (consumer->options.flags & flag) != 0; }

/* The monitor is held. */
static void violation(struct PeerConsumer* consumer, const char* what) {
  peer_monitor_event(&consumer->monitor, PC_VIOLATIONS, "violation: %s", what);
}

static struct PeerConsumer* enter(struct ArrowAsyncDeviceStreamHandler* self, const char* what) {
  struct PeerConsumer* consumer = self->private_data;
  peer_monitor_lock(&consumer->monitor);
  if (self != &consumer->handler) violation(consumer, "a callback on another handler");
  if (consumer->busy++ > 0) violation(consumer, "two callbacks at a time");
  if (consumer->monitor.stats[PC_RELEASES] > 0) violation(consumer, "a callback after release");
  if (consumer->over && strcmp(what, "release") != 0) violation(consumer, "a callback other than release after the end");
  peer_monitor_unlock(&consumer->monitor);
  return consumer;
}

static int leave(struct PeerConsumer* consumer, int code) {
  peer_monitor_lock(&consumer->monitor);
  consumer->busy--;
  if (code != 0) consumer->over = true;
  peer_monitor_unlock(&consumer->monitor);
  return code;
}

void peer_consumer_request(struct PeerConsumer* consumer, int64_t n) {
  peer_monitor_lock(&consumer->monitor);
  consumer->monitor.stats[PC_REQUESTED] += n;
  if (n > 0 && !consumer->cancelled) consumer->demand += n;
  peer_monitor_unlock(&consumer->monitor);
  /* Also after release: some consumers ask for more with each task that they extract, however late. */
  consumer->producer->request(consumer->producer, n);
}

static void cancel_once(struct PeerConsumer* consumer) {
  peer_monitor_lock(&consumer->monitor);
  consumer->cancelled = true;
  peer_monitor_unlock(&consumer->monitor);
  consumer->producer->cancel(consumer->producer);
}

static void add_metadata(struct PeerText* text, const char* metadata) {
  peer_text_add(text, " ");
  if (metadata != NULL) peer_text_hex(text, (const uint8_t*)metadata, peer_metadata_size(metadata));
}

/* The monitor is held. */
static void write_line(struct PeerConsumer* consumer, int stat, struct PeerText* line) {
  peer_text_bytes(line, "\n", 1);
  peer_text_bytes(&consumer->monitor.log, line->chars, line->size);
  free(line->chars);
  if (stat >= 0) consumer->monitor.stats[stat]++;
  pthread_cond_broadcast(&consumer->monitor.changed);
}

static void take_schema(struct PeerConsumer* consumer, struct ArrowSchema* schema) {
  struct PeerText line = {0};
  char* text = NULL;
  peer_text_add(&line, "schema ");
  if (schema->release == NULL) violation(consumer, "the schema is released");
  if (peer_render_schema(schema, &text) != 0) {
    violation(consumer, peer_error());
  } else {
    for (char* at = text; *at != '\0'; at++) peer_text_bytes(&line, *at == '\n' ? ";" : at, 1);
    /* One that is left is still needed to read the batches, so this side makes its own. */
    if (!has(consumer, PEER_CONSUMER_LEAVES_SCHEMA)) {
      peer_move_schema(schema, &consumer->schema);
    } else if (peer_produce_schema(text, 0, &consumer->schema) != 0) {
      violation(consumer, peer_error());
    }
    peer_text_free(text);
  }
  add_metadata(&line, consumer->producer->additional_metadata);
  write_line(consumer, PC_SCHEMAS, &line);
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler* self, struct ArrowSchema* schema) {
  struct PeerConsumer* consumer = enter(self, "on_schema");
  peer_monitor_lock(&consumer->monitor);
  struct ArrowAsyncProducer* producer = self->producer;
  bool usable = producer != NULL && producer->request != NULL && producer->cancel != NULL;
  if (!usable) violation(consumer, "the producer is not populated before on_schema");
  if (consumer->monitor.stats[PC_SCHEMAS] > 0) violation(consumer, "a second on_schema");
  consumer->producer = producer;
  if (usable) take_schema(consumer, schema);
  peer_monitor_unlock(&consumer->monitor);
  if (!usable) return leave(consumer, EINVAL);
  if (consumer->options.schema_code != 0) return leave(consumer, (int)consumer->options.schema_code);
  if (has(consumer, PEER_CONSUMER_REQUESTS_ZERO)) peer_consumer_request(consumer, 0);
  if (has(consumer, PEER_CONSUMER_REQUESTS_NEGATIVE)) peer_consumer_request(consumer, -1);
  if (consumer->options.first_request > 0) peer_consumer_request(consumer, consumer->options.first_request);
  if (has(consumer, PEER_CONSUMER_CANCELS_IN_SCHEMA)) cancel_once(consumer);
  return leave(consumer, 0);
}

/* The monitor is held. */
static void render(struct PeerConsumer* consumer, int64_t index, struct ArrowDeviceArray* array) {
  char* text = NULL;
  struct PeerText line = {0};
  peer_text_add(&line, "batch %lld ", (long long)index);
  if (peer_render_array(&consumer->schema, &array->array, &text) == 0) {
    peer_text_bytes(&line, text, (int64_t)strlen(text));
    peer_text_free(text);
  } else {
    violation(consumer, peer_error());
  }
  write_line(consumer, PC_EXTRACTED, &line);
  if (array->device_type != consumer->producer->device_type) violation(consumer, "an array on another device type");
  if (peer_check_device_array(&consumer->schema, array, PEER_CHECK_BATCH, &text) != 0) return;
  if (text[0] != '\0') violation(consumer, text);
  peer_text_free(text);
}

static int extract(struct PeerConsumer* consumer, struct ArrowAsyncTask* task, int64_t index, bool discard) {
  if (discard) {
    int code = task->extract_data(task, NULL);
    peer_monitor_lock(&consumer->monitor);
    peer_monitor_event(&consumer->monitor, PC_DISCARDED, "discard %lld", (long long)index);
    peer_monitor_unlock(&consumer->monitor);
    return code;
  }
  struct ArrowDeviceArray array;
  memset(&array, 0xCD, sizeof array);
  array.array.release = NULL;
  int code = task->extract_data(task, &array);
  struct ArrowDeviceArray again = {.array = {.release = NULL}};
  int second = has(consumer, PEER_CONSUMER_EXTRACTS_TWICE) ? task->extract_data(task, &again) : -1;
  peer_monitor_lock(&consumer->monitor);
  if (second == 0 || again.array.release != NULL) violation(consumer, "a task gave its array twice");
  if (code != 0) {
    peer_monitor_event(&consumer->monitor, PC_FAILED, "fail %lld %d", (long long)index, code);
  } else if (array.array.release == NULL) {
    violation(consumer, "extract_data returned 0 and gave no array");
  } else {
    render(consumer, index, &array);
  }
  peer_monitor_unlock(&consumer->monitor);
  if (code == 0 && array.array.release != NULL) array.array.release(&array.array);
  return code;
}

static int use(struct PeerConsumer* consumer, struct Kept* kept, bool discard) {
  int code = extract(consumer, &kept->task, kept->index, discard);
  if (has(consumer, PEER_CONSUMER_REQUESTS_LATE)) peer_consumer_request(consumer, 1);
  return code;
}

static void* extract_all(void* argument) {
  struct PeerConsumer* consumer = argument;
  peer_monitor_lock(&consumer->monitor);
  struct Kept* next = consumer->first;
  while (true) {
    while (next != NULL && next->used) next = next->next;
    if (next == NULL) {
      if (consumer->closing) break;
      pthread_cond_wait(&consumer->monitor.changed, &consumer->monitor.mutex);
      next = consumer->first;
      continue;
    }
    next->used = true;
    peer_monitor_unlock(&consumer->monitor);
    use(consumer, next, has(consumer, PEER_CONSUMER_DISCARDS));
    peer_monitor_lock(&consumer->monitor);
  }
  peer_monitor_unlock(&consumer->monitor);
  return NULL;
}

/* The monitor is held. */
static struct Kept* keep(struct PeerConsumer* consumer, struct ArrowAsyncTask* task, int64_t index) {
  struct Kept* kept = calloc(1, sizeof *kept);
  if (kept == NULL) abort();
  kept->task = *task;
  kept->index = index;
  *consumer->last = kept;
  consumer->last = &kept->next;
  return kept;
}

static int64_t count_task(struct PeerConsumer* consumer, const char* metadata) {
  int64_t index = consumer->monitor.stats[PC_TASKS];
  struct PeerText line = {0};
  peer_text_add(&line, "task %lld", (long long)index);
  add_metadata(&line, metadata);
  write_line(consumer, PC_TASKS, &line);
  if (--consumer->demand < 0 && !consumer->cancelled) violation(consumer, "more tasks than were requested");
  return index;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler* self, struct ArrowAsyncTask* task, const char* metadata) {
  struct PeerConsumer* consumer = enter(self, "on_next_task");
  peer_monitor_lock(&consumer->monitor);
  if (consumer->monitor.stats[PC_SCHEMAS] == 0) violation(consumer, "on_next_task before on_schema");
  if (task == NULL) {
    consumer->over = true;
    peer_monitor_event(&consumer->monitor, PC_ENDS, "end");
    peer_monitor_unlock(&consumer->monitor);
    return leave(consumer, 0);
  }
  int64_t index = count_task(consumer, metadata);
  bool refused = index == consumer->options.refused_task;
  bool now = has(consumer, PEER_CONSUMER_EXTRACTS_INLINE);
  struct Kept* kept = refused ? NULL : keep(consumer, task, index);
  if (kept != NULL) kept->used = now;
  peer_monitor_unlock(&consumer->monitor);
  if (refused) return leave(consumer, EIO);
  if (index == consumer->options.cancel_at) {
    cancel_once(consumer);
    cancel_once(consumer);
    if (has(consumer, PEER_CONSUMER_REQUESTS_AFTER_CANCEL)) peer_consumer_request(consumer, 3);
  }
  if (now) use(consumer, kept, has(consumer, PEER_CONSUMER_DISCARDS));
  if (has(consumer, PEER_CONSUMER_REQUESTS_INLINE)) peer_consumer_request(consumer, 1);
  return leave(consumer, 0);
}

static void on_error(struct ArrowAsyncDeviceStreamHandler* self, int code, const char* message, const char* metadata) {
  struct PeerConsumer* consumer = enter(self, "on_error");
  peer_monitor_lock(&consumer->monitor);
  if (consumer->cancelled) violation(consumer, "on_error after cancel");
  consumer->over = true;
  struct PeerText line = {0};
  peer_text_add(&line, "error %d ", code);
  if (message != NULL) peer_text_bytes(&line, message, (int64_t)strlen(message));
  add_metadata(&line, metadata);
  write_line(consumer, PC_ERRORS, &line);
  peer_monitor_unlock(&consumer->monitor);
  leave(consumer, 0);
}

static void release(struct ArrowAsyncDeviceStreamHandler* self) {
  struct PeerConsumer* consumer = enter(self, "release");
  leave(consumer, 0);
  peer_monitor_lock(&consumer->monitor);
  peer_count(PEER_HELD, -1);
  peer_monitor_event(&consumer->monitor, PC_RELEASES, "release");
  peer_monitor_unlock(&consumer->monitor);
}

int peer_consumer_open(const struct PeerConsumerOptions* options, struct PeerConsumer** out) {
  struct PeerConsumer* consumer = calloc(1, sizeof *consumer);
  if (consumer == NULL) abort();
  peer_monitor_init(&consumer->monitor);
  consumer->options = *options;
  consumer->last = &consumer->first;
  consumer->handler.on_schema = on_schema;
  consumer->handler.on_next_task = on_next_task;
  consumer->handler.on_error = on_error;
  consumer->handler.release = release;
  consumer->handler.private_data = consumer;
  if (has(consumer, PEER_CONSUMER_EXTRACTS_THREAD)
      && pthread_create(&consumer->thread, NULL, extract_all, consumer) != 0) {
    abort();
  }
  peer_count(PEER_HELD, 1);
  *out = consumer;
  return 0;
}

struct ArrowAsyncDeviceStreamHandler* peer_consumer_handler(struct PeerConsumer* consumer) { return &consumer->handler; }

static void* cancel_thread(void* consumer) {
  cancel_once(consumer);
  return NULL;
}

int peer_consumer_cancel(struct PeerConsumer* consumer, int64_t threads) {
  pthread_t* running = calloc((size_t)threads, sizeof *running);
  if (running == NULL) abort();
  int64_t started = 0;
  while (started < threads && pthread_create(&running[started], NULL, cancel_thread, consumer) == 0) started++;
  for (int64_t i = 0; i < started; i++) pthread_join(running[i], NULL);
  free(running);
  return started == threads ? 0 : peer_fail("only %lld threads could be started", (long long)started);
}

int peer_consumer_use(struct PeerConsumer* consumer, int64_t task, int64_t discard) {
  peer_monitor_lock(&consumer->monitor);
  struct Kept* kept = consumer->first;
  while (kept != NULL && kept->index != task) kept = kept->next;
  if (kept != NULL) kept->used = true;
  peer_monitor_unlock(&consumer->monitor);
  return kept == NULL ? -1 : use(consumer, kept, discard != 0);
}

int64_t peer_consumer_stat(struct PeerConsumer* consumer, int64_t stat) {
  peer_monitor_lock(&consumer->monitor);
  int64_t value = consumer->monitor.stats[stat];
  peer_monitor_unlock(&consumer->monitor);
  return value;
}

int peer_consumer_await(struct PeerConsumer* consumer, int64_t stat, int64_t value, int64_t millis) {
  return peer_monitor_await(&consumer->monitor, stat, value, millis);
}

int peer_consumer_log(struct PeerConsumer* consumer, char** text) { return peer_monitor_log(&consumer->monitor, text); }

void peer_consumer_close(struct PeerConsumer* consumer) {
  peer_monitor_lock(&consumer->monitor);
  consumer->closing = true;
  pthread_cond_broadcast(&consumer->monitor.changed);
  peer_monitor_unlock(&consumer->monitor);
  if (has(consumer, PEER_CONSUMER_EXTRACTS_THREAD)) pthread_join(consumer->thread, NULL);
  peer_release_schema(&consumer->schema);
  while (consumer->first != NULL) {
    struct Kept* next = consumer->first->next;
    free(consumer->first);
    consumer->first = next;
  }
  peer_monitor_destroy(&consumer->monitor);
  free(consumer);
}
