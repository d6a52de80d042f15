/* Shared by the files that produce arrays. */
#ifndef ARROW_DEVICE_PEER_PRODUCE_H
#define ARROW_DEVICE_PEER_PRODUCE_H

#include "peer.h"

/* One array under construction. Physical rows run from 0 to `rows`; logical row i is physical row offset + i. */
struct Build {
  const struct ArrowSchema* schema;
  const struct PeerOptions* options;
  struct PeerType type;
  struct ArrowArray* out;
  PeerHandle node;
  int64_t length;
  int64_t offset;
  int64_t rows; /* offset + length + tail */
  bool nulls;   /* some rows are null */
};

/** Whether logical row i is null; rows that don't belong to the array are never null. */
bool peer_row_is_null(const struct Build* build, int64_t row);
/** The value slot of a physical row holds nonsense. */
bool peer_row_is_garbage(const struct Build* build, int64_t physical);
int peer_set_buffers(struct Build* build, int64_t count);
/** Produces one array of the tree. */
int peer_build(const struct ArrowSchema* schema, const struct PeerOptions* options, bool root, int64_t length,
               struct ArrowArray* out);
int peer_prepare_children(struct Build* build, int64_t count);
/** An array of given integers: run ends. */
int peer_build_integers(const struct ArrowSchema* schema, const struct PeerOptions* options, const int64_t* values,
                        int64_t count, struct ArrowArray* out);

int peer_build_variable(struct Build* build);
int peer_build_view(struct Build* build);
int peer_build_nested(struct Build* build);
int peer_build_dictionary(struct Build* build);

#endif
