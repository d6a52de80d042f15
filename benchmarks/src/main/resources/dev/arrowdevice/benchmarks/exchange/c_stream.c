/*
 * Streams where both ends are C: the least that a batch of a stream can cost. A stream hands out exports of one source,
 * whose buffers live as long as it, and the consumer releases each batch unread.
 *
 * Nothing is checked or counted for the sake of tests, which would be in the time of whoever reads the stream: that a
 * stream and its batches were released is told by the source, of which each is an export.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "arrow_abi.h"

#define ENTRY __attribute__((visibility("default"), noinline))

/* Of c_exchange.c. */
struct Source;
void c_export(struct Source* source, struct ArrowArray* out);
int64_t c_consume(struct ArrowArray* array);

struct Stream {
  struct Source* source;
  int64_t left;
  /* Held until the release, so that the source knows of the stream. */
  struct ArrowArray held;
};

/* A batch of one int32 column, in one block. */
struct Schema {
  struct ArrowSchema column;
  struct ArrowSchema* columns[1];
};

static void release_column(struct ArrowSchema* schema) { schema->release = NULL; }

static void release_schema(struct ArrowSchema* schema) {
  struct ArrowSchema* column = schema->children[0];
  if (column->release != NULL) column->release(column);
  schema->release = NULL;
  free(schema->private_data);
}

/* The schema of all streams; answers an errno value. */
int c_schema(struct ArrowSchema* out) {
  struct Schema* schema = malloc(sizeof *schema);
  if (schema == NULL) return ENOMEM;
  schema->column =
      (struct ArrowSchema){.format = "i", .name = "n", .flags = ARROW_FLAG_NULLABLE, .release = release_column};
  schema->columns[0] = &schema->column;
  *out = (struct ArrowSchema){.format = "+s",
                              .name = "",
                              .n_children = 1,
                              .children = schema->columns,
                              .release = release_schema,
                              .private_data = schema};
  return 0;
}

static int get_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  (void)stream;
  return c_schema(out);
}

static int get_next(struct ArrowArrayStream* self, struct ArrowArray* out) {
  struct Stream* stream = self->private_data;
  if (stream->left == 0) {
    out->release = NULL;
    return 0;
  }
  stream->left--;
  c_export(stream->source, out);
  return 0;
}

static const char* get_last_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}

static void release_stream(struct ArrowArrayStream* self) {
  struct Stream* stream = self->private_data;
  stream->held.release(&stream->held);
  self->release = NULL;
  free(stream);
}

/* A stream of so many batches of a source, which must be a struct of one int32. */
ENTRY void c_stream(struct Source* source, int64_t batches, struct ArrowArrayStream* out) {
  struct Stream* stream = malloc(sizeof *stream);
  stream->source = source;
  stream->left = batches;
  c_export(source, &stream->held);
  *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                   .get_next = get_next,
                                   .get_last_error = get_last_error,
                                   .release = release_stream,
                                   .private_data = stream};
}

/* Reads a stream to its end and releases it; answers the number of rows, or -1 if it failed. */
ENTRY int64_t c_stream_consume(struct ArrowArrayStream* stream) {
  int64_t rows = 0;
  struct ArrowArray array;
  int failure;
  while ((failure = stream->get_next(stream, &array)) == 0 && array.release != NULL) {
    rows += array.length;
    c_consume(&array);
  }
  stream->release(stream);
  return failure == 0 ? rows : -1;
}
