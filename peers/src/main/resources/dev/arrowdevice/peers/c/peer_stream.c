/*
 * Produces streams. Their state is behind a handle like that of arrays, so that a call on a released stream is counted
 * as a violation and answered with EINVAL instead of reading freed memory.
 */
#include <errno.h>
#include <string.h>

#include "peer.h"

struct Source {
  const char* spec;
  const char* message;
  struct PeerOptions options;
  struct PeerStreamOptions stream;
  int64_t delivered;
  int busy;          /* a callback is running: the source is not thread-safe, callers must take turns */
  bool failed;       /* the last operation returned an error */
};

static void* open_source(const char* spec, const struct PeerOptions* options,
                         const struct PeerStreamOptions* stream_options, const char* message) {
  PeerHandle node = peer_node_new(true, 0);
  const char* spec_copy = peer_node_bytes(node, spec, (int64_t)strlen(spec) + 1);
  const char* message_copy = message == NULL ? NULL : peer_node_bytes(node, message, (int64_t)strlen(message) + 1);
  struct Source* source = peer_node_alloc(node, sizeof *source);
  source->spec = spec_copy;
  source->message = message_copy;
  source->options = *options;
  source->stream = *stream_options;
  return (void*)node;
}

/* The source behind a stream that somebody calls; NULL, and a violation, when the stream is released. */
static struct Source* find_source(void* private_data) {
  struct Source* source = peer_node_memory((PeerHandle)private_data);
  if (source == NULL) peer_count(PEER_STREAM_VIOLATIONS, 1);
  return source;
}

static void close_source(void* private_data) {
  struct Source* source = peer_node_memory((PeerHandle)private_data);
  if (source != NULL && __atomic_load_n(&source->busy, __ATOMIC_SEQ_CST) != 0) peer_count(PEER_STREAM_VIOLATIONS, 1);
  peer_node_release((PeerHandle)private_data);
}

static void enter(struct Source* source) {
  if (__atomic_add_fetch(&source->busy, 1, __ATOMIC_SEQ_CST) != 1) peer_count(PEER_STREAM_VIOLATIONS, 1);
}

static int leave(struct Source* source, int code) {
  source->failed = code != 0;
  __atomic_sub_fetch(&source->busy, 1, __ATOMIC_SEQ_CST);
  return code;
}

static int source_schema(void* private_data, struct ArrowSchema* out) {
  struct Source* source = find_source(private_data);
  if (source == NULL) return EINVAL;
  peer_count(PEER_SCHEMAS_ASKED, 1);
  enter(source);
  if (source->stream.flags & PEER_STREAM_SCHEMA_FAILS) return leave(source, (int)source->stream.error_code);
  return leave(source, peer_produce_schema(source->spec, source->options.flags, out) == 0 ? 0 : EINVAL);
}

/* Batches differ: each one moves the values by its number. After an error and after the end it stays so. */
static int source_next(void* private_data, struct ArrowArray* out) {
  struct Source* source = find_source(private_data);
  if (source == NULL) return EINVAL;
  enter(source);
  if (source->stream.error_after >= 0 && source->delivered >= source->stream.error_after) {
    return leave(source, (int)source->stream.error_code);
  }
  memset(out, 0, sizeof *out);
  if (source->delivered >= source->stream.batches) return leave(source, 0);
  struct ArrowSchema schema;
  if (peer_produce_schema(source->spec, 0, &schema) != 0) return leave(source, EINVAL);
  struct PeerOptions options = source->options;
  options.seed += source->delivered;
  int result = peer_produce_array(&schema, &options, out);
  schema.release(&schema);
  source->delivered++;
  return leave(source, result == 0 ? 0 : EINVAL);
}

/* "This callback must ONLY be called if the last operation on the stream returned an error." */
static const char* source_error(void* private_data) {
  struct Source* source = find_source(private_data);
  if (source == NULL) return NULL;
  if (!source->failed) peer_count(PEER_STREAM_VIOLATIONS, 1);
  if (!source->failed || (source->stream.flags & PEER_STREAM_NO_MESSAGE)) return NULL;
  return source->message;
}

static int plain_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  return source_schema(stream->private_data, out);
}

static int plain_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  return source_next(stream->private_data, out);
}

static const char* plain_error(struct ArrowArrayStream* stream) { return source_error(stream->private_data); }

static void plain_release(struct ArrowArrayStream* stream) {
  close_source(stream->private_data);
  stream->release = NULL;
}

static int device_schema(struct ArrowDeviceArrayStream* stream, struct ArrowSchema* out) {
  return source_schema(stream->private_data, out);
}

static int device_next(struct ArrowDeviceArrayStream* stream, struct ArrowDeviceArray* out) {
  struct ArrowArray array;
  int code = source_next(stream->private_data, &array);
  if (code != 0) return code;
  const struct Source* source = find_source(stream->private_data);
  /* "If the embedded array is released, then the end of the stream has been reached": nothing else is promised. */
  bool soiled = array.release == NULL && (source->stream.flags & PEER_STREAM_SOILS_END);
  memset(out, soiled ? 0xAB : 0, sizeof *out);
  out->array = array;
  if (soiled) return 0;
  out->device_id = source->stream.device_type == ARROW_DEVICE_CPU ? -1 : 0;
  out->device_type = (ArrowDeviceType)source->stream.device_type;
  return 0;
}

static const char* device_error(struct ArrowDeviceArrayStream* stream) { return source_error(stream->private_data); }

static void device_release(struct ArrowDeviceArrayStream* stream) {
  close_source(stream->private_data);
  stream->release = NULL;
}

int peer_produce_stream(const char* spec, const struct PeerOptions* options,
                        const struct PeerStreamOptions* stream_options, const char* message,
                        struct ArrowArrayStream* out) {
  out->get_schema = plain_schema;
  out->get_next = plain_next;
  out->get_last_error = plain_error;
  out->release = plain_release;
  out->private_data = open_source(spec, options, stream_options, message);
  return 0;
}

int peer_produce_device_stream(const char* spec, const struct PeerOptions* options,
                               const struct PeerStreamOptions* stream_options, const char* message,
                               struct ArrowDeviceArrayStream* out) {
  out->device_type = (ArrowDeviceType)stream_options->device_type;
  out->get_schema = device_schema;
  out->get_next = device_next;
  out->get_last_error = device_error;
  out->release = device_release;
  out->private_data = open_source(spec, options, stream_options, message);
  return 0;
}
