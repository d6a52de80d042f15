/*
 * Async streams where both ends are C: the least that a batch can cost. The producer sends on the thread that starts it,
 * and the consumer takes and releases each batch within the call that brings it, and asks for the next one there. So the
 * producer never waits, and nobody wakes another thread.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "arrow_abi.h"

#define ENTRY __attribute__((visibility("default"), noinline))

/* Of c_exchange.c and c_stream.c. */
struct Source;
void c_export(struct Source* source, struct ArrowArray* out);
int64_t c_consume(struct ArrowArray* array);
int c_schema(struct ArrowSchema* out);

struct Handler {
  struct ArrowAsyncDeviceStreamHandler handler;
  int64_t rows;
  int failure;
  int released;
};

static int on_schema(struct ArrowAsyncDeviceStreamHandler* self, struct ArrowSchema* schema) {
  schema->release(schema);
  self->producer->request(self->producer, 1);
  return 0;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler* self, struct ArrowAsyncTask* task, const char* metadata) {
  (void)metadata;
  struct Handler* handler = self->private_data;
  if (task == NULL) return 0;
  struct ArrowDeviceArray array;
  int failure = task->extract_data(task, &array);
  if (failure != 0) {
    handler->failure = failure;
    return failure;
  }
  handler->rows += array.array.length;
  c_consume(&array.array);
  self->producer->request(self->producer, 1);
  return 0;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler* self, int code, const char* message, const char* metadata) {
  (void)message;
  (void)metadata;
  struct Handler* handler = self->private_data;
  handler->failure = code;
}

static void release_handler(struct ArrowAsyncDeviceStreamHandler* self) {
  struct Handler* handler = self->private_data;
  handler->released = 1;
  self->release = NULL;
}

/* A consumer of one stream. */
ENTRY struct Handler* c_handler(void) {
  struct Handler* handler = calloc(1, sizeof *handler);
  handler->handler = (struct ArrowAsyncDeviceStreamHandler){.on_schema = on_schema,
                                                            .on_next_task = on_next_task,
                                                            .on_error = on_error,
                                                            .release = release_handler,
                                                            .private_data = handler};
  return handler;
}

/* Frees the consumer; answers the rows that it got, or -1 if the stream failed or did not end. */
ENTRY int64_t c_handler_close(struct Handler* handler) {
  int64_t rows = handler->failure == 0 && handler->released ? handler->rows : -1;
  free(handler);
  return rows;
}

struct Producer {
  struct ArrowAsyncProducer producer;
  int64_t demand;
};

struct Task {
  struct ArrowAsyncTask task;
  struct Source* source;
};

static void request(struct ArrowAsyncProducer* self, int64_t n) { ((struct Producer*)self)->demand += n; }

static void cancel(struct ArrowAsyncProducer* self) { (void)self; }

static int extract_data(struct ArrowAsyncTask* self, struct ArrowDeviceArray* out) {
  if (out == NULL) return 0;
  *out = (struct ArrowDeviceArray){.device_id = -1, .device_type = ARROW_DEVICE_CPU};
  c_export(((struct Task*)self)->source, &out->array);
  return 0;
}

/* Sends so many batches of a source, which must be a struct of one int32, to a consumer that asks for each in time. */
ENTRY void c_send(struct Source* source, int64_t batches, struct ArrowAsyncDeviceStreamHandler* handler) {
  struct Producer producer = {
      .producer = {.device_type = ARROW_DEVICE_CPU, .request = request, .cancel = cancel}};
  struct Task task = {.task = {.extract_data = extract_data}, .source = source};
  struct ArrowSchema schema;
  handler->producer = &producer.producer;
  int failure = c_schema(&schema);
  if (failure == 0) failure = handler->on_schema(handler, &schema);
  while (failure == 0 && batches > 0) {
    failure = producer.demand > 0 ? handler->on_next_task(handler, &task.task, NULL) : EAGAIN;
    producer.demand--;
    batches--;
  }
  if (failure == 0) {
    handler->on_next_task(handler, NULL, NULL);
  } else {
    handler->on_error(handler, failure, NULL, NULL);
  }
  handler->release(handler);
}
