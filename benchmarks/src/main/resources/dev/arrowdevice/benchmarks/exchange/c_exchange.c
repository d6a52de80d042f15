/*
 * Exchanging arrays where both ends are C: the least that any language can pay. A source holds an array and hands out
 * exports of it. An export is one block of memory for all structs and pointers of the tree, counted by its source as
 * shared buffers would be; the consumer moves it to a struct of its own, looks at every member and releases it.
 *
 * The functions call each other through the pointers in the structs, or are not inlined: a compiler that sees producer
 * and consumer at once would leave out the exchange.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "arrow_abi.h"

#define ENTRY __attribute__((visibility("default"), noinline))

struct Source {
  struct ArrowArray array;
  int64_t structs;
  int64_t bytes;
  _Atomic int64_t exports;
};

struct Export {
  struct Source* source;
  _Atomic int64_t unreleased;
};

static void measure(const struct ArrowArray* array, struct Source* source) {
  source->structs++;
  source->bytes += array->n_buffers * (int64_t)sizeof(void*);
  for (int64_t i = 0; i < array->n_children; i++) {
    source->bytes += (int64_t)sizeof(void*) + (int64_t)sizeof(struct ArrowArray);
    measure(array->children[i], source);
  }
}

/* Moves an array without dictionaries in. */
ENTRY struct Source* c_source(struct ArrowArray* array) {
  struct Source* source = calloc(1, sizeof *source);
  source->array = *array;
  array->release = NULL;
  source->bytes = sizeof(struct Export);
  measure(&source->array, source);
  return source;
}

/* Ends a source; answers how many of its exports were not released. */
ENTRY int64_t c_source_close(struct Source* source) {
  int64_t exports = atomic_load(&source->exports);
  if (exports == 0) {
    source->array.release(&source->array);
    free(source);
  }
  return exports;
}

static void release(struct ArrowArray* array) {
  struct Export* export = array->private_data;
  for (int64_t i = 0; i < array->n_children; i++) {
    struct ArrowArray* child = array->children[i];
    if (child->release != NULL) child->release(child);
  }
  array->release = NULL;
  if (atomic_fetch_sub(&export->unreleased, 1) == 1) {
    atomic_fetch_sub(&export->source->exports, 1);
    free(export);
  }
}

static char* write_struct(const struct ArrowArray* from, struct Export* export, struct ArrowArray* to, char* cursor) {
  *to = *from;
  to->release = release;
  to->private_data = export;
  to->buffers = (const void**)cursor;
  cursor += from->n_buffers * (int64_t)sizeof(void*);
  for (int64_t i = 0; i < from->n_buffers; i++) to->buffers[i] = from->buffers[i];
  if (from->n_children > 0) {
    to->children = (struct ArrowArray**)cursor;
    cursor += from->n_children * (int64_t)sizeof(void*);
  }
  for (int64_t i = 0; i < from->n_children; i++) {
    to->children[i] = (struct ArrowArray*)cursor;
    cursor = write_struct(from->children[i], export, to->children[i], cursor + sizeof(struct ArrowArray));
  }
  return cursor;
}

ENTRY void c_export(struct Source* source, struct ArrowArray* out) {
  struct Export* export = malloc((size_t)source->bytes);
  export->source = source;
  atomic_init(&export->unreleased, source->structs);
  atomic_fetch_add(&source->exports, 1);
  write_struct(&source->array, export, out, (char*)(export + 1));
}

ENTRY void c_export_all(struct Source* source, struct ArrowArray* out, int64_t count) {
  for (int64_t i = 0; i < count; i++) c_export(source, &out[i]);
}

static int64_t look(const struct ArrowArray* array) {
  int64_t seen = array->length + array->null_count + array->offset + (array->dictionary != NULL);
  for (int64_t i = 0; i < array->n_buffers; i++) seen += array->buffers[i] != NULL;
  for (int64_t i = 0; i < array->n_children; i++) seen += look(array->children[i]);
  return seen;
}

/* Takes an array as an importer does, and releases it; answers a number made of what it has seen. */
ENTRY int64_t c_consume(struct ArrowArray* array) {
  struct ArrowArray moved = *array;
  array->release = NULL;
  int64_t seen = look(&moved);
  moved.release(&moved);
  return seen;
}

ENTRY void c_release_all(struct ArrowArray* arrays, int64_t count) {
  for (int64_t i = 0; i < count; i++) arrays[i].release(&arrays[i]);
}

/* So many exchanges one after the other; answers the sum of what was seen. */
ENTRY int64_t c_exchange(struct Source* source, int64_t count) {
  struct ArrowArray array;
  int64_t seen = 0;
  for (int64_t i = 0; i < count; i++) {
    c_export(source, &array);
    seen += c_consume(&array);
  }
  return seen;
}
