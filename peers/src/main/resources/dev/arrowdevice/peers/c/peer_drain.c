/* Consumes streams, both kinds through one path. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"

/* One stream under consumption: exactly one of the two is set. */
struct Drain {
  struct ArrowArrayStream* plain;
  struct ArrowDeviceArrayStream* device;
  int64_t flags;
  struct PeerText text;
  struct PeerText violations;
  struct ArrowSchema schema;
  struct ArrowDeviceArray* batches;
  int64_t n_batches;
};

static int get_schema(struct Drain* drain, struct ArrowSchema* out) {
  memset(out, 0, sizeof *out);
  return drain->plain != NULL ? drain->plain->get_schema(drain->plain, out)
                              : drain->device->get_schema(drain->device, out);
}

/* The struct is soiled first: the producer must fill every member, `reserved` included, except at the end. */
static int get_next(struct Drain* drain, struct ArrowDeviceArray* out) {
  memset(out, 0xCD, sizeof *out);
  out->array.release = NULL;
  if (drain->device != NULL) return drain->device->get_next(drain->device, out);
  memset((char*)out + sizeof out->array, 0, sizeof *out - sizeof out->array);
  out->device_id = -1;
  out->device_type = ARROW_DEVICE_CPU;
  return drain->plain->get_next(drain->plain, &out->array);
}

static const char* last_error(struct Drain* drain) {
  return drain->plain != NULL ? drain->plain->get_last_error(drain->plain)
                              : drain->device->get_last_error(drain->device);
}

static void release_stream(struct Drain* drain) {
  if (drain->plain != NULL) peer_release_stream(drain->plain);
  if (drain->device != NULL) peer_release_device_stream(drain->device);
  bool marked = drain->plain != NULL ? drain->plain->release == NULL : drain->device->release == NULL;
  if (!marked) peer_text_add(&drain->violations, "violation: the released stream is not marked released\n");
}

/* After a success there is no error to tell; an empty text counts as one for a well-known consumer. */
static void after_success(struct Drain* drain, const char* operation) {
  if (!(drain->flags & PEER_DRAIN_ASK_ERROR)) return;
  const char* message = last_error(drain);
  if (message != NULL) {
    peer_text_add(&drain->violations, "violation: after a successful %s get_last_error says '%s'\n", operation, message);
  }
}

static void report_error(struct Drain* drain, int code) {
  const char* message = last_error(drain);
  peer_text_add(&drain->text, "error %d ", code);
  if (message == NULL) message = "NULL";
  peer_text_bytes(&drain->text, message, (int64_t)strlen(message));
  peer_text_bytes(&drain->text, "\n", 1);
}

static void render_batch(struct Drain* drain, struct ArrowDeviceArray* batch) {
  char* text;
  if (peer_render_array(&drain->schema, &batch->array, &text) != 0) {
    peer_text_add(&drain->violations, "violation: a batch can't be read: %s\n", peer_error());
  } else {
    peer_text_bytes(&drain->text, text, (int64_t)strlen(text));
    peer_text_bytes(&drain->text, "\n", 1);
    peer_text_free(text);
  }
  int64_t rules = strcmp(drain->schema.format, "+s") == 0 ? PEER_CHECK_BATCH : 0;
  if (peer_check_device_array(&drain->schema, batch, rules, &text) != 0) return;
  for (char* line = text; *line != '\0';) {
    int size = (int)strcspn(line, "\n");
    peer_text_add(&drain->violations, "violation: %.*s\n", size, line);
    line += size + 1;
  }
  peer_text_free(text);
}

static void keep(struct Drain* drain, const struct ArrowDeviceArray* batch) {
  drain->batches = realloc(drain->batches, (size_t)(drain->n_batches + 1) * sizeof *drain->batches);
  if (drain->batches == NULL) abort();
  drain->batches[drain->n_batches++] = *batch;
}

/* "The end of the stream" stays the end, however often one asks. */
static void check_end(struct Drain* drain) {
  for (int again = 0; again < 2; again++) {
    struct ArrowDeviceArray batch;
    int code = get_next(drain, &batch);
    if (code != 0) peer_text_add(&drain->violations, "violation: get_next after the end returns %d\n", code);
    if (code == 0 && batch.array.release != NULL) {
      peer_text_add(&drain->violations, "violation: a batch after the end\n");
      batch.array.release(&batch.array);
    }
  }
}

static bool read_schema(struct Drain* drain) {
  int code = get_schema(drain, &drain->schema);
  if (code != 0) {
    if (drain->schema.release != NULL) peer_text_add(&drain->violations, "violation: a schema in spite of the error\n");
    report_error(drain, code);
    return false;
  }
  after_success(drain, "get_schema");
  char* text = NULL;
  if (peer_render_schema(&drain->schema, &text) != 0) {
    peer_text_add(&drain->violations, "violation: the schema can't be read: %s\n", peer_error());
    return false;
  }
  for (char* at = text; *at != '\0'; at++) {
    if (*at == '\n') *at = ';';
  }
  peer_text_add(&drain->text, "schema ");
  peer_text_bytes(&drain->text, text, (int64_t)strlen(text));
  peer_text_bytes(&drain->text, "\n", 1);
  peer_text_free(text);
  if (!(drain->flags & PEER_DRAIN_SCHEMA_TWICE)) return true;
  struct ArrowSchema again;
  if (get_schema(drain, &again) != 0) {
    peer_text_add(&drain->violations, "violation: the second get_schema fails\n");
  } else {
    again.release(&again);
  }
  return true;
}

static void read_batches(struct Drain* drain, int64_t limit) {
  for (int64_t count = 0; limit < 0 || count < limit; count++) {
    struct ArrowDeviceArray batch;
    int code = get_next(drain, &batch);
    if (code != 0) {
      report_error(drain, code);
      return;
    }
    after_success(drain, "get_next");
    if (batch.array.release == NULL) {
      check_end(drain);
      peer_text_add(&drain->text, "end\n");
      return;
    }
    if (drain->device != NULL && batch.device_type != drain->device->device_type) {
      peer_text_add(&drain->violations, "violation: a batch on device type %d\n", (int)batch.device_type);
    }
    if (drain->flags & PEER_DRAIN_ARRAYS_OUTLIVE) {
      keep(drain, &batch);
    } else {
      render_batch(drain, &batch);
      batch.array.release(&batch.array);
    }
  }
  peer_text_add(&drain->text, "closed\n");
}

static int run(struct Drain* drain, int64_t limit, char** out) {
  peer_text_bytes(&drain->text, "", 0);
  if (read_schema(drain)) read_batches(drain, limit);
  release_stream(drain);
  for (int64_t i = 0; i < drain->n_batches; i++) {
    render_batch(drain, &drain->batches[i]);
    drain->batches[i].array.release(&drain->batches[i].array);
  }
  peer_release_schema(&drain->schema);
  if (drain->violations.size > 0) peer_text_bytes(&drain->text, drain->violations.chars, drain->violations.size);
  free(drain->violations.chars);
  free(drain->batches);
  *out = drain->text.chars;
  return 0;
}

int peer_drain_stream(struct ArrowArrayStream* stream, int64_t limit, int64_t flags, char** text) {
  if (stream->release == NULL) return peer_fail("the stream is released");
  struct Drain drain = {.plain = stream, .flags = flags};
  return run(&drain, limit, text);
}

int peer_drain_device_stream(struct ArrowDeviceArrayStream* stream, int64_t limit, int64_t flags, char** text) {
  if (stream->release == NULL) return peer_fail("the stream is released");
  struct Drain drain = {.device = stream, .flags = flags};
  return run(&drain, limit, text);
}

int peer_skim_stream(struct ArrowArrayStream* stream, int64_t* rows) {
  if (stream->release == NULL) return peer_fail("the stream is released");
  *rows = 0;
  while (true) {
    struct ArrowArray array;
    int code = stream->get_next(stream, &array);
    if (code != 0) {
      const char* message = stream->get_last_error(stream);
      peer_fail("get_next returned %d: %s", code, message == NULL ? "NULL" : message);
      peer_release_stream(stream);
      return -1;
    }
    if (array.release == NULL) break;
    *rows += array.length;
    array.release(&array);
  }
  peer_release_stream(stream);
  return 0;
}
