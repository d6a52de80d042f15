/*
 * The C peer: a producer and a consumer of Arrow data that shares no line with the SDK it tests.
 *
 * What comes out of it is deterministic: the value of row i depends on i and on the type alone. What goes into it is
 * read by its own decoder and comes back as text. Every struct it produces keeps its true contents behind a handle in
 * `private_data`, so that a test may overwrite any member with nonsense and the release callback still frees exactly
 * what was allocated, and so that a second release is counted instead of corrupting the heap.
 */
#ifndef ARROW_DEVICE_PEER_H
#define ARROW_DEVICE_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arrow_abi.h"
#include "peer_heap.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the C peer writes and reads values as little-endian machines do"
#endif

#define PEER_API __attribute__((visibility("default")))

/* ---- options: the flags and members are mirrored by PeerOptions.java ---- */

#define PEER_ALL_VALID_BITMAP 1    /* a validity bitmap even where there is no null */
#define PEER_UNKNOWN_NULL_COUNT 2  /* null_count = -1 */
#define PEER_MISALIGNED 4          /* buffers at odd addresses */
#define PEER_GUARD_BEHIND 8        /* the byte behind each buffer is unreadable */
#define PEER_GUARD_BEFORE 16       /* the byte before each buffer is unreadable */
#define PEER_EMPTY_IS_NULL 32      /* buffers of zero bytes are NULL */
#define PEER_NO_EMPTY_OFFSETS 64   /* the offsets buffer of an empty array is NULL */
#define PEER_GARBAGE_NULLS 128     /* nonsense in the value slots of null rows */
#define PEER_DEFER_FREE 256        /* release marks; memory goes with peer_free_deferred */

struct PeerOptions {
  int64_t length;
  int64_t offset;       /* of the root */
  int64_t child_offset; /* of every array below the root */
  int64_t tail;         /* rows behind the last one that belongs to the array */
  int64_t null_every;   /* row i of a nullable field is null when i mod n == n - 1; 0: no nulls */
  int64_t first_offset; /* where the first row of a variable-size array begins in its data */
  int64_t seed;         /* moves all values */
  int64_t flags;
};

/* ---- counters: mirrored by PeerCounters.java ---- */

enum PeerCounter {
  PEER_PRODUCED,         /* base structures handed out: schemas, arrays, streams */
  PEER_RELEASED,         /* base structures that came back through their release callback */
  PEER_LIVE_NODES,       /* schemas, arrays at any depth and streams that still own memory */
  PEER_LIVE_BYTES,       /* bytes allocated for them */
  PEER_DOUBLE_RELEASES,  /* release callbacks called a second time */
  PEER_STREAM_VIOLATIONS,/* calls that the stream contract forbids */
  PEER_HELD,             /* arrays taken over from others and not yet released */
  PEER_SCHEMAS_ASKED,    /* calls of get_schema */
  PEER_COUNTERS
};

/* ---- types ---- */

enum PeerKind {
  PK_NULL, PK_BOOL, PK_INT, PK_UINT, PK_FLOAT, PK_DECIMAL, PK_FIXED_BINARY, PK_DAY_TIME, PK_MONTH_DAY_NANO,
  PK_STRING, PK_BINARY, PK_STRING_VIEW, PK_BINARY_VIEW, PK_LIST, PK_LIST_VIEW, PK_FIXED_LIST, PK_STRUCT, PK_MAP,
  PK_SPARSE_UNION, PK_DENSE_UNION, PK_RUN_END
};

struct PeerType {
  enum PeerKind kind;
  int64_t width;       /* bytes of a fixed-width value, or of one offset */
  int64_t precision;
  int64_t scale;
  int64_t list_size;
  int64_t multiplier;  /* of generated integers: keeps date64 on whole days */
  int64_t modulus;     /* of generated integers: keeps times within a day; 0: none */
  int n_ids;
  int8_t ids[128];
};

/** Parses a format string. Returns false and leaves a message in peer_fail for anything it does not know. */
bool peer_parse_format(const char* format, struct PeerType* out);

/** Buffers of an array of this type without the variadic ones. */
int peer_buffer_count(const struct PeerType* type);
bool peer_has_validity(const struct PeerType* type);
bool peer_is_view(const struct PeerType* type);

/* ---- errors: one message per thread ---- */

int peer_fail(const char* format, ...) __attribute__((format(printf, 1, 2)));
PEER_API const char* peer_error(void);

/* ---- memory and ownership ---- */

typedef uintptr_t PeerHandle; /* what private_data carries */

PeerHandle peer_node_new(bool root, int64_t flags);
/** Memory of the node; NULL for zero bytes under PEER_EMPTY_IS_NULL. Zero-filled. */
void* peer_node_buffer(PeerHandle node, int64_t bytes);
/** Plain aligned memory of the node, for structs, pointers and strings. Zero-filled. */
void* peer_node_alloc(PeerHandle node, int64_t bytes);
char* peer_node_bytes(PeerHandle node, const void* bytes, int64_t size);
void peer_node_array_child(PeerHandle node, struct ArrowArray* child);
void peer_node_schema_child(PeerHandle node, struct ArrowSchema* child);
/** What was allocated last for a node without children; NULL when the node is gone. */
void* peer_node_memory(PeerHandle node);
/** Frees a node without children; a stale handle counts as a double release. */
void peer_node_release(PeerHandle node);
void peer_release_produced_array(struct ArrowArray* array);
void peer_release_produced_schema(struct ArrowSchema* schema);
void peer_count(enum PeerCounter counter, int64_t delta);

PEER_API int64_t peer_counter(int64_t counter);
/** From now on all memory of the peer is in the guarded heap, see guarded_heap.h. */
PEER_API void peer_guard_memory(void);
bool peer_memory_is_guarded(void);
/** Zeroed memory for a test: for the structs that it passes to others. */
PEER_API void* peer_allocate(int64_t bytes);
PEER_API void peer_deallocate(void* memory);
PEER_API void peer_free_deferred(void);
/** Bytes of the process's C heap that are in use; -1 if the C library does not report it. */
PEER_API int64_t peer_heap_bytes(void);
PEER_API void peer_text_free(char* text);

/* ---- growing text ---- */

struct PeerText {
  char* chars;
  int64_t size;
  int64_t capacity;
};

void peer_text_bytes(struct PeerText* text, const void* bytes, int64_t size);
void peer_text_add(struct PeerText* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void peer_text_hex(struct PeerText* text, const uint8_t* bytes, int64_t size);
void peer_text_quoted(struct PeerText* text, const uint8_t* bytes, int64_t size);

/* ---- the value formulas ---- */

int64_t peer_mod(int64_t value, int64_t modulus);
/** The integer of row i before it is cut to its width. */
int64_t peer_integer(const struct PeerType* type, const struct PeerOptions* options, int64_t row);
/** A fixed-width value of row i, `type->width` bytes. */
void peer_fixed_value(const struct PeerType* type, const struct PeerOptions* options, int64_t row, uint8_t* out);
/** Bytes of a string or binary value of row i; at most 64; returns their number. */
int64_t peer_bytes_value(const struct PeerType* type, const struct PeerOptions* options, int64_t row, uint8_t* out);
/** Unscaled little-endian two's complement integer of `width` bytes as decimal digits. */
void peer_decimal_text(struct PeerText* text, const uint8_t* bytes, int64_t width);

/* ---- producing ---- */

/** A schema from a text, see peer_schema.c. */
PEER_API int peer_produce_schema(const char* spec, int64_t flags, struct ArrowSchema* out);
PEER_API int peer_produce_array(const struct ArrowSchema* schema, const struct PeerOptions* options,
                                struct ArrowArray* out);
PEER_API int peer_produce_device_array(const struct ArrowSchema* schema, const struct PeerOptions* options,
                                       struct ArrowDeviceArray* out);
/** Structs within structs, `depth` of them around an int32, in constant stack. */
PEER_API int peer_produce_deep(int64_t depth, struct ArrowSchema* schema, struct ArrowArray* array);

/* ---- consuming: the texts are the caller's, freed with peer_text_free ---- */

PEER_API int peer_render_array(const struct ArrowSchema* schema, const struct ArrowArray* array, char** text);
PEER_API int peer_render_schema(const struct ArrowSchema* schema, char** text);
/** FNV-1a over the text of peer_render_array; 0 on failure. */
PEER_API uint64_t peer_checksum(const struct ArrowSchema* schema, const struct ArrowArray* array);

#define PEER_CHECK_BUILT 1  /* memory of the exporter's own: 64-byte alignment, zero padding of the validity */
#define PEER_CHECK_BATCH 2  /* a record batch: no top-level offset, no top-level nulls */

/** What a picky consumer would complain about, one line each; an empty text: nothing. */
PEER_API int peer_check_array(const struct ArrowSchema* schema, const struct ArrowArray* array, int64_t flags,
                              char** text);
PEER_API int peer_check_device_array(const struct ArrowSchema* schema, const struct ArrowDeviceArray* array,
                                     int64_t flags, char** text);

/* ---- letting go ---- */

PEER_API void peer_release_array(struct ArrowArray* array);
PEER_API void peer_release_schema(struct ArrowSchema* schema);
PEER_API void peer_release_stream(struct ArrowArrayStream* stream);
PEER_API void peer_release_device_stream(struct ArrowDeviceArrayStream* stream);
PEER_API void peer_move_array(struct ArrowArray* from, struct ArrowArray* to);
PEER_API void peer_move_schema(struct ArrowSchema* from, struct ArrowSchema* to);
/** Moves the array into memory of the peer, which keeps it until peer_release_held. */
PEER_API struct ArrowArray* peer_hold_array(struct ArrowArray* array);
PEER_API void peer_release_held(struct ArrowArray* held);
/** Moves the arrays away and releases them from `threads` threads that start together; returns when all are gone. */
PEER_API int peer_release_on_threads(struct ArrowArray** arrays, int64_t count, int64_t threads);
/** Releases the array from a new thread after the caller has returned; peer_join_releases waits for all of these. */
PEER_API int peer_release_soon(struct ArrowArray* array);
PEER_API void peer_join_releases(void);

/* ---- streams ---- */

#define PEER_STREAM_SCHEMA_FAILS 1
#define PEER_STREAM_NO_MESSAGE 2  /* get_last_error returns NULL although the last call failed */
#define PEER_STREAM_SOILS_END 4   /* end of a device stream leaves nonsense in all but `release`, as the spec allows */

struct PeerStreamOptions {
  int64_t batches;
  int64_t error_after; /* get_next fails once this many batches are out; -1: never */
  int64_t error_code;
  int64_t device_type; /* of a device stream */
  int64_t flags;
};

PEER_API int peer_produce_stream(const char* spec, const struct PeerOptions* options,
                                 const struct PeerStreamOptions* stream_options, const char* message,
                                 struct ArrowArrayStream* out);
PEER_API int peer_produce_device_stream(const char* spec, const struct PeerOptions* options,
                                        const struct PeerStreamOptions* stream_options, const char* message,
                                        struct ArrowDeviceArrayStream* out);

#define PEER_DRAIN_ARRAYS_OUTLIVE 1  /* the stream is released before the arrays are read */
#define PEER_DRAIN_ASK_ERROR 2       /* get_last_error after every success, as one well-known consumer does */
#define PEER_DRAIN_SCHEMA_TWICE 4

/**
 * Reads a stream to its end, or `limit` batches of it (-1: all), and releases it. The text has one line for the
 * schema, one per batch, then `end`, `closed` (limit reached) or `error <code> <message>`; further lines, if any,
 * start with `violation`.
 */
PEER_API int peer_drain_stream(struct ArrowArrayStream* stream, int64_t limit, int64_t flags, char** text);
PEER_API int peer_drain_device_stream(struct ArrowDeviceArrayStream* stream, int64_t limit, int64_t flags,
                                      char** text);

/** Reads a stream to its end and releases each array unread, then the stream; `rows` gets the sum of their lengths. */
PEER_API int peer_skim_stream(struct ArrowArrayStream* stream, int64_t* rows);

/** Every size and offset of arrow_abi.h as the compiler sees it, lines of `Struct 80` and `Struct.member 8`. */
PEER_API int peer_abi_layout(char** text);

#endif
