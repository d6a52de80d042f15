/* An array and its schema, walked once and checked for shape; shared by rendering and checking. */
#ifndef ARROW_DEVICE_PEER_DECODE_H
#define ARROW_DEVICE_PEER_DECODE_H

#include "peer.h"

struct Decoder {
  const struct ArrowSchema* schema;
  const struct ArrowArray* array;
  struct PeerType type;
  struct Decoder* children;
  struct Decoder* dictionary;
};

/** Refuses what can't be read at all: released structs, counts that don't match, missing buffers. */
int peer_decoder_open(struct Decoder* decoder, const struct ArrowSchema* schema, const struct ArrowArray* array,
                      int depth);
void peer_decoder_close(struct Decoder* decoder);
/** Whether the bit of a physical row says null; false without a bitmap. */
bool peer_physical_null(const struct Decoder* decoder, int64_t physical);
/** A signed integer of `width` bytes at an index of a buffer that may be misaligned. */
int64_t peer_read_signed(const void* buffer, int64_t index, int64_t width);

#endif
