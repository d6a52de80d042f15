/*
 * The async device stream interface in C: a producer that drives other people's handlers and a consumer that other
 * people's producers drive. Both are strict unless told otherwise, and can be told to break the specification in each of
 * the ways that known implementations do.
 *
 * Nothing in here sleeps: a side that waits does so for an event on a condition variable, and a test moves it on.
 */
#ifndef ARROW_DEVICE_PEER_ASYNC_H
#define ARROW_DEVICE_PEER_ASYNC_H

#include <pthread.h>

#include "peer.h"

/* ---- what both sides keep: figures that can be waited for, and a log ---- */

#define PEER_STATS 16

struct PeerMonitor {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int64_t stats[PEER_STATS];
  struct PeerText log;
};

void peer_monitor_init(struct PeerMonitor* monitor);
void peer_monitor_destroy(struct PeerMonitor* monitor);
void peer_monitor_lock(struct PeerMonitor* monitor);
void peer_monitor_unlock(struct PeerMonitor* monitor);
/** Adds to a figure and writes a line of the log; the monitor is held. */
void peer_monitor_event(struct PeerMonitor* monitor, int stat, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/** Waits until a figure has reached a value; -1, and a message, if that takes longer than `millis`. */
int peer_monitor_await(struct PeerMonitor* monitor, int64_t stat, int64_t value, int64_t millis);
int peer_monitor_log(struct PeerMonitor* monitor, char** text);
/** Bytes of encoded metadata, by its own counts. */
int64_t peer_metadata_size(const char* metadata);

/* ---- the producer: options and figures are mirrored by PeerAsyncProducer.java ---- */

#define PEER_ASYNC_ERROR_AFTER_CANCEL 1    /* on_error after the consumer's cancel, as Arrow C++ */
#define PEER_ASYNC_ERROR_AFTER_REFUSAL 2   /* on_error after a non-zero result, as Arrow C++ */
#define PEER_ASYNC_FAILS_SILENTLY 4        /* the failing task returns 0 and leaves the array untouched, as Arrow C++ */
#define PEER_ASYNC_NO_ERROR_AFTER_TASK 8   /* no on_error after a task that failed */
#define PEER_ASYNC_END_NEEDS_DEMAND 16     /* looks for the end only while a request is outstanding, as arrow-go */
#define PEER_ASYNC_END_AFTER_CANCEL 32     /* the NULL task after the consumer's cancel, as sedona-db */
#define PEER_ASYNC_NEVER_RELEASES 64       /* until peer_async_release */
#define PEER_ASYNC_NULL_PRODUCER 128
#define PEER_ASYNC_NULL_SCHEMA 256
#define PEER_ASYNC_SURPLUS 512             /* one task more than each request asks for */
#define PEER_ASYNC_INLINE_TASKS 1024       /* request calls on_next_task */
#define PEER_ASYNC_CANCELS_INLINE 2048     /* cancel itself calls what comes after it, release included */
#define PEER_ASYNC_ERROR_FIRST 4096        /* on_error instead of on_schema */
#define PEER_ASYNC_RELEASE_FIRST 8192      /* release and nothing else */
#define PEER_ASYNC_NO_END 16384            /* release without the NULL task */
#define PEER_ASYNC_TASK_FIRST 32768        /* a task before the schema */
#define PEER_ASYNC_SCHEMA_TWICE 65536
#define PEER_ASYNC_GUARDS_SCHEMA 131072    /* releases a schema that the consumer left, as Arrow C++ and arrow-go */
#define PEER_ASYNC_FREES_PRODUCER 262144   /* the producer is gone just before release is called, as in arrow-go */
#define PEER_ASYNC_CALLS_AFTER_RELEASE 524288 /* every callback once more, on a copy of the handler */
#define PEER_ASYNC_WRONG_DEVICE 1048576    /* the arrays are on another device type than announced */
#define PEER_ASYNC_NULL_EXTRACT 2097152    /* tasks without extract_data */
#define PEER_ASYNC_CANCEL_AWAITS_RELEASE 4194304 /* cancel returns once another thread's release has */
#define PEER_ASYNC_NULL_REQUEST 8388608     /* the producer lacks request */
#define PEER_ASYNC_NULL_CANCEL 16777216     /* the producer lacks cancel */

struct PeerBytes {
  const char* bytes; /* NULL allowed */
  int64_t size;
};

struct PeerAsyncOptions {
  int64_t batches;
  int64_t threads;      /* callbacks come from this many threads in turn */
  int64_t permits;      /* callbacks before the producer waits for peer_async_allow; -1: no limit */
  int64_t error_after;  /* on_error once this many tasks are out; -1: never */
  int64_t error_code;   /* of on_error and of the failing task */
  int64_t failing_task; /* its extract_data fails; -1: none */
  int64_t after_cancel; /* requested tasks that still come after a cancel */
  int64_t device_type;
  int64_t flags;
  const char* message;  /* of on_error; NULL allowed */
  struct PeerBytes stream_metadata;
  struct PeerBytes task_metadata;
  struct PeerBytes error_metadata;
};

enum PeerAsyncStat {
  PA_REQUESTS,     /* calls of request */
  PA_REQUESTED,    /* sum of them */
  PA_CANCELS,      /* calls of cancel */
  PA_TASKS,        /* tasks handed to on_next_task */
  PA_EXTRACTED,
  PA_DISCARDED,
  PA_FAILED,       /* tasks that failed when extracted */
  PA_REFUSED,      /* tasks that on_next_task refused */
  PA_ENDS,
  PA_ERRORS,
  PA_RELEASES,     /* calls of the handler's release */
  PA_SCHEMAS_LEFT, /* schemas that the consumer neither moved nor released */
  PA_LATE_CALLS,   /* request or cancel once release had begun */
  PA_VIOLATIONS,   /* what the specification forbids the consumer */
  PA_SCHEMA_REFUSED,
  PA_RETURNED      /* callbacks of the handler that have returned */
};

struct PeerAsync;

PEER_API int peer_async_open(const char* spec, const struct PeerOptions* options,
                             const struct PeerAsyncOptions* async_options, struct PeerAsync** out);
/** Becomes the producer of a handler, once. */
PEER_API int peer_async_start(struct PeerAsync* async, struct ArrowAsyncDeviceStreamHandler* handler);
PEER_API void peer_async_allow(struct PeerAsync* async, int64_t permits);
/** Makes a producer that never releases do it after all. */
PEER_API void peer_async_release(struct PeerAsync* async);
PEER_API int64_t peer_async_stat(struct PeerAsync* async, int64_t stat);
PEER_API int peer_async_await(struct PeerAsync* async, int64_t stat, int64_t value, int64_t millis);
PEER_API int peer_async_log(struct PeerAsync* async, char** text);
/** Stops the threads wherever they are and frees all; no task may be extracted afterwards. */
PEER_API void peer_async_close(struct PeerAsync* async);

/* ---- the consumer: options and figures are mirrored by PeerAsyncConsumer.java ---- */

#define PEER_CONSUMER_EXTRACTS_INLINE 1     /* within on_next_task */
#define PEER_CONSUMER_EXTRACTS_THREAD 2     /* on a thread of its own */
#define PEER_CONSUMER_REQUESTS_INLINE 4     /* one more within on_next_task */
#define PEER_CONSUMER_REQUESTS_LATE 8       /* one more after each task that was extracted, whatever has happened since */
#define PEER_CONSUMER_REQUESTS_ZERO 16      /* request(0) within on_schema */
#define PEER_CONSUMER_REQUESTS_NEGATIVE 32  /* request(-1) within on_schema */
#define PEER_CONSUMER_LEAVES_SCHEMA 64      /* neither moves nor releases it */
#define PEER_CONSUMER_DISCARDS 128          /* passes NULL wherever it would extract */
#define PEER_CONSUMER_EXTRACTS_TWICE 256
#define PEER_CONSUMER_CANCELS_IN_SCHEMA 512
#define PEER_CONSUMER_REQUESTS_AFTER_CANCEL 1024

struct PeerConsumerOptions {
  int64_t first_request; /* within on_schema; 0: none */
  int64_t schema_code;   /* what on_schema returns */
  int64_t refused_task;  /* on_next_task returns EIO for it; -1: none */
  int64_t cancel_at;     /* cancels, twice, within on_next_task of it; -1: never */
  int64_t flags;
};

enum PeerConsumerStat {
  PC_SCHEMAS,
  PC_TASKS,
  PC_EXTRACTED,
  PC_DISCARDED,
  PC_FAILED,     /* extract_data returned an error */
  PC_ENDS,
  PC_ERRORS,
  PC_RELEASES,
  PC_REQUESTED,
  PC_VIOLATIONS  /* what the specification forbids the producer */
};

struct PeerConsumer;

PEER_API int peer_consumer_open(const struct PeerConsumerOptions* options, struct PeerConsumer** out);
PEER_API struct ArrowAsyncDeviceStreamHandler* peer_consumer_handler(struct PeerConsumer* consumer);
PEER_API void peer_consumer_request(struct PeerConsumer* consumer, int64_t n);
/** Cancels from that many threads that start together; returns when all have. */
PEER_API int peer_consumer_cancel(struct PeerConsumer* consumer, int64_t threads);
/** Extracts a task that is still kept, or discards it; returns what extract_data returned. */
PEER_API int peer_consumer_use(struct PeerConsumer* consumer, int64_t task, int64_t discard);
PEER_API int64_t peer_consumer_stat(struct PeerConsumer* consumer, int64_t stat);
PEER_API int peer_consumer_await(struct PeerConsumer* consumer, int64_t stat, int64_t value, int64_t millis);
/** Lines of `schema …`, `task <n> <metadata>`, `batch <n> …`, `end`, `error …`, `release` and `violation: …`. */
PEER_API int peer_consumer_log(struct PeerConsumer* consumer, char** text);
PEER_API void peer_consumer_close(struct PeerConsumer* consumer);

#endif
