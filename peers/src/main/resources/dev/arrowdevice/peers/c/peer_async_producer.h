/* Shared by the files of the async producer. */
#ifndef ARROW_DEVICE_PEER_ASYNC_PRODUCER_H
#define ARROW_DEVICE_PEER_ASYNC_PRODUCER_H

#include "peer_async.h"

/* A task lives as long as the producer's memory, so that a second extraction finds it used rather than freed. */
struct PeerTask {
  struct PeerTask* next;
  struct PeerAsync* async;
  int64_t index;
  int used;
};

struct PeerAsync {
  struct PeerMonitor monitor; /* guards all that changes below */
  pthread_mutex_t calls;      /* recursive; held while the handler is called: "only be called in a serialized manner" */
  struct PeerAsyncOptions options;
  struct PeerOptions batch;
  char* spec;
  struct ArrowAsyncDeviceStreamHandler* handler;
  struct ArrowAsyncProducer* producer;
  struct PeerTask* tasks;
  pthread_t* threads;
  int64_t turn;             /* which thread makes the next call */
  int64_t demand;
  int64_t permits;
  int64_t tasks_sent;
  int64_t schemas_sent;
  int64_t late_tasks;       /* sent after the cancel */
  bool cancelled;
  bool refused;
  bool task_failed;
  bool finished;            /* end or error has been sent */
  bool error_sent;
  bool released;
  bool release_allowed;
  bool closing;
  bool quiet;               /* on_error or release runs: "MUST NOT call any methods of an ArrowAsyncProducer object" */
  pthread_t quiet_thread;
};

enum PeerAsyncCall { PEER_CALL_NONE, PEER_CALL_SCHEMA, PEER_CALL_TASK, PEER_CALL_END, PEER_CALL_ERROR, PEER_CALL_RELEASE };

/** What comes next; the monitor is held. */
enum PeerAsyncCall peer_async_next(struct PeerAsync* async);
/** Makes a call, which uses up a permit; the monitor is not held. */
void peer_async_call(struct PeerAsync* async, enum PeerAsyncCall call);
bool peer_async_has(const struct PeerAsync* async, int64_t flag);
/** What `extract_data` of the tasks is. */
int peer_async_extract(struct ArrowAsyncTask* self, struct ArrowDeviceArray* out);
/** A task for the next batch; the monitor is held. */
struct PeerTask* peer_async_new_task(struct PeerAsync* async);
/** Takes back a task that the consumer refused. */
void peer_async_take_back(struct PeerTask* task);

#endif
