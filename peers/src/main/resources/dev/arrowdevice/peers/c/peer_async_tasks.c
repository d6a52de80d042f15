/* The tasks of the async producer: what a consumer may do with each, once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "peer_async_producer.h"

struct PeerTask* peer_async_new_task(struct PeerAsync* async) {
  struct PeerTask* task = calloc(1, sizeof *task);
  if (task == NULL) abort();
  task->async = async;
  task->index = async->tasks_sent++;
  task->next = async->tasks;
  async->tasks = task;
  peer_count(PEER_PRODUCED, 1);
  peer_count(PEER_LIVE_NODES, 1);
  return task;
}

/* False for the second user of a task. */
static bool use(struct PeerTask* task) {
  if (__atomic_exchange_n(&task->used, 1, __ATOMIC_SEQ_CST) != 0) return false;
  peer_count(PEER_RELEASED, 1);
  peer_count(PEER_LIVE_NODES, -1);
  return true;
}

static void note(struct PeerTask* task, enum PeerAsyncStat stat, const char* what) {
  struct PeerMonitor* monitor = &task->async->monitor;
  peer_monitor_lock(monitor);
  if (stat == PA_FAILED && !peer_async_has(task->async, PEER_ASYNC_FAILS_SILENTLY)) task->async->task_failed = true;
  peer_monitor_event(monitor, stat, "%s %lld", what, (long long)task->index);
  peer_monitor_unlock(monitor);
}

void peer_async_take_back(struct PeerTask* task) {
  if (use(task)) {
    note(task, PA_REFUSED, "refused");
  } else {
    note(task, PA_VIOLATIONS, "violation: a task was used and refused:");
  }
}

static int fill(struct PeerTask* task, struct ArrowDeviceArray* out) {
  struct PeerAsync* async = task->async;
  struct ArrowSchema schema;
  if (peer_produce_schema(async->spec, 0, &schema) != 0) return EINVAL;
  struct PeerOptions options = async->batch;
  options.seed += task->index;
  int result = peer_produce_device_array(&schema, &options, out);
  schema.release(&schema);
  if (result != 0) return EINVAL;
  out->device_type = (ArrowDeviceType)async->options.device_type;
  if (peer_async_has(async, PEER_ASYNC_WRONG_DEVICE)) out->device_type = ARROW_DEVICE_VULKAN;
  if (out->device_type != ARROW_DEVICE_CPU) out->device_id = 0;
  return 0;
}

int peer_async_extract(struct ArrowAsyncTask* self, struct ArrowDeviceArray* out) {
  struct PeerTask* task = self->private_data;
  if (!use(task)) {
    peer_count(PEER_DOUBLE_RELEASES, 1);
    note(task, PA_VIOLATIONS, "violation: a second extract_data of task");
    return EINVAL;
  }
  if (out == NULL) {
    note(task, PA_DISCARDED, "discard");
    return 0;
  }
  if (task->index == task->async->options.failing_task) {
    note(task, PA_FAILED, "fail");
    return peer_async_has(task->async, PEER_ASYNC_FAILS_SILENTLY) ? 0 : (int)task->async->options.error_code;
  }
  int code = fill(task, out);
  note(task, code == 0 ? PA_EXTRACTED : PA_FAILED, "extract");
  return code;
}
