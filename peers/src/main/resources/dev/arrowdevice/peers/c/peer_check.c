/*
 * What picky consumers insist on. Each rule is one that a released implementation enforces or silently relies on: a
 * computed null_count (some read -1 as "none"), an offsets buffer even for an empty array, a validity that is zero up
 * to its 64th byte, host-readable variadic sizes, a clean device struct.
 */
#include <stdlib.h>
#include <string.h>

#include "peer_decode.h"

#define ALIGNMENT 64

static void check_null_count(struct PeerText* out, const struct Decoder* decoder, const char* path) {
  const struct ArrowArray* array = decoder->array;
  int64_t nulls = 0;
  if (decoder->type.kind == PK_NULL) {
    nulls = array->length;
  } else {
    for (int64_t row = 0; row < array->length; row++) nulls += peer_physical_null(decoder, array->offset + row);
  }
  if (array->null_count != nulls) {
    peer_text_add(out, "%s: null_count is %lld, counted %lld\n", path, (long long)array->null_count, (long long)nulls);
  }
}

static void check_offsets(struct PeerText* out, const struct Decoder* decoder, const char* path) {
  enum PeerKind kind = decoder->type.kind;
  if (kind != PK_STRING && kind != PK_BINARY && kind != PK_LIST && kind != PK_MAP) return;
  const void* offsets = decoder->array->buffers[1];
  if (offsets == NULL) {
    peer_text_add(out, "%s: the offsets buffer is NULL\n", path);
  } else if (decoder->array->length == 0 && decoder->array->offset == 0 &&
             peer_read_signed(offsets, 0, decoder->type.width) != 0) {
    peer_text_add(out, "%s: the one offset of an empty array is not zero\n", path);
  }
}

static void check_variadic(struct PeerText* out, const struct Decoder* decoder, const char* path) {
  if (!peer_is_view(&decoder->type)) return;
  int64_t variadic = decoder->array->n_buffers - 3;
  const void* sizes = decoder->array->buffers[2 + variadic];
  if (variadic > 0 && sizes == NULL) {
    peer_text_add(out, "%s: the sizes of %lld variadic buffers are missing\n", path, (long long)variadic);
    return;
  }
  for (int64_t i = 0; i < variadic; i++) {
    int64_t size = peer_read_signed(sizes, i, 8);
    if (size < 0 || (size > 0 && decoder->array->buffers[2 + i] == NULL)) {
      peer_text_add(out, "%s: variadic buffer %lld of %lld bytes\n", path, (long long)i, (long long)size);
    }
  }
}

/* Only for memory that the exporter allocated itself. */
static void check_built(struct PeerText* out, const struct Decoder* decoder, const char* path) {
  const struct ArrowArray* array = decoder->array;
  /* The sizes of variadic buffers come last; they belong to the structs, not to the data. */
  int64_t data_buffers = peer_is_view(&decoder->type) ? array->n_buffers - 1 : array->n_buffers;
  for (int64_t i = 0; i < data_buffers; i++) {
    if ((uintptr_t)array->buffers[i] % ALIGNMENT != 0) {
      peer_text_add(out, "%s: buffer %lld is not aligned to %d bytes\n", path, (long long)i, ALIGNMENT);
    }
  }
  if (!peer_has_validity(&decoder->type) || array->buffers[0] == NULL) return;
  const uint8_t* bits = array->buffers[0];
  int64_t end = (array->offset + array->length + ALIGNMENT * 8 - 1) / (ALIGNMENT * 8) * (ALIGNMENT * 8);
  for (int64_t bit = array->offset + array->length; bit < end; bit++) {
    if (bits[bit / 8] >> (bit % 8) & 1) {
      peer_text_add(out, "%s: bit %lld of the validity's padding is set\n", path, (long long)bit);
      return;
    }
  }
}

static void check(struct PeerText* out, const struct Decoder* decoder, int64_t flags, const char* path) {
  check_null_count(out, decoder, path);
  check_offsets(out, decoder, path);
  check_variadic(out, decoder, path);
  if (flags & PEER_CHECK_BUILT) check_built(out, decoder, path);
  if (decoder->schema->flags & ~7LL) peer_text_add(out, "%s: unknown schema flags\n", path);
  for (int64_t i = 0; decoder->children != NULL && i < decoder->array->n_children; i++) {
    struct PeerText inner = {0};
    peer_text_add(&inner, "%s/%lld", path, (long long)i);
    check(out, &decoder->children[i], flags, inner.chars);
    free(inner.chars);
  }
  if (decoder->dictionary != NULL) {
    struct PeerText inner = {0};
    peer_text_add(&inner, "%s/dictionary", path);
    check(out, decoder->dictionary, flags, inner.chars);
    free(inner.chars);
  }
}

int peer_check_array(const struct ArrowSchema* schema, const struct ArrowArray* array, int64_t flags, char** out) {
  struct PeerText text = {0};
  struct Decoder decoder;
  peer_text_bytes(&text, "", 0);
  int result = peer_decoder_open(&decoder, schema, array, 0);
  if (result == 0) {
    check(&text, &decoder, flags, "root");
    if ((flags & PEER_CHECK_BATCH) && array->offset != 0) peer_text_add(&text, "root: a record batch with an offset\n");
    if ((flags & PEER_CHECK_BATCH) && array->null_count != 0) peer_text_add(&text, "root: a record batch with nulls\n");
  }
  peer_decoder_close(&decoder);
  if (result != 0) free(text.chars);
  *out = result == 0 ? text.chars : NULL;
  return result;
}

int peer_check_device_array(const struct ArrowSchema* schema, const struct ArrowDeviceArray* array, int64_t flags,
                            char** out) {
  if (peer_check_array(schema, &array->array, flags, out) != 0) return -1;
  struct PeerText text = {0};
  peer_text_bytes(&text, *out, (int64_t)strlen(*out));
  peer_text_free(*out);
  for (int i = 0; i < 3; i++) {
    if (array->reserved[i] != 0) peer_text_add(&text, "device: reserved[%d] is not zero\n", i);
  }
  if (array->device_type == ARROW_DEVICE_CPU && array->device_id != -1) {
    peer_text_add(&text, "device: the CPU's device_id is %lld instead of -1\n", (long long)array->device_id);
  }
  if (array->device_type == ARROW_DEVICE_CPU && array->sync_event != NULL) {
    peer_text_add(&text, "device: a sync_event on the CPU\n");
  }
  *out = text.chars;
  return 0;
}
