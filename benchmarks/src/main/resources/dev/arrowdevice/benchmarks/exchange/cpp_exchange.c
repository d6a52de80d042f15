/*
 * Exchanging arrays where both ends are Arrow C++, in a loop that no other language takes part in. The functions of
 * Arrow C++ are given by address; what makes them callable from C is the Itanium C++ ABI:
 *
 * - what has a destructor is returned through memory, as C returns what is larger than two words;
 * - passed by value, it is a pointer to a temporary that the caller destroys after the call.
 *
 * Arrays and record batches have functions of the same shape, so that one set of pointers serves either.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "arrow_abi.h"

#define ENTRY __attribute__((visibility("default"), noinline))

/* std::shared_ptr of anything: the object, and what counts its owners. */
struct Shared {
  void* object;
  void* control;
};

/* arrow::Result of a shared_ptr: a status, NULL for OK, and the value. */
struct Result {
  void* status;
  struct Shared value;
};

/* arrow::Status, described as larger than it is: a single word would be expected in a register. */
struct Status {
  void* state;
  void* beyond[3];
};

struct Functions {
  struct Status (*export_to)(const void* data, struct ArrowArray*, struct ArrowSchema*);
  struct Result (*import_typed)(struct ArrowArray*, struct Shared* type);
  struct Result (*import_from)(struct ArrowArray*, struct ArrowSchema*);
  struct Result (*import_type)(struct ArrowSchema*);
  void (*destroy)(struct Shared*);
};

struct Source {
  struct Functions cpp;
  struct Shared type;
  struct Shared data;
};

/* One more owner, as a copy of the shared_ptr is: the count follows the pointer to the table of virtual functions. */
static struct Shared copy(const struct Shared* shared) {
  __atomic_add_fetch((int32_t*)((char*)shared->control + sizeof(void*)), 1, __ATOMIC_ACQ_REL);
  return *shared;
}

static int import_as(struct Source* source, struct ArrowArray* array, struct Shared* out) {
  struct Shared type = copy(&source->type);
  struct Result imported = source->cpp.import_typed(array, &type);
  source->cpp.destroy(&type);
  *out = imported.value;
  return imported.status == NULL;
}

/* Has Arrow C++ import an array or a batch, and keeps it; NULL if it refuses. */
ENTRY struct Source* cpp_source(const struct Functions* cpp, struct ArrowArray* array, struct ArrowSchema* schema) {
  struct Source* source = calloc(1, sizeof *source);
  source->cpp = *cpp;
  struct Result type = cpp->import_type(schema);
  source->type = type.value;
  if (type.status == NULL && import_as(source, array, &source->data)) return source;
  free(source);
  return NULL;
}

ENTRY void cpp_source_close(struct Source* source) {
  source->cpp.destroy(&source->data);
  source->cpp.destroy(&source->type);
  free(source);
}

/* Each of these answers 1 if Arrow C++ was content. */
ENTRY int64_t cpp_export(struct Source* source, struct ArrowArray* out) {
  return source->cpp.export_to(source->data.object, out, NULL).state == NULL;
}

ENTRY int64_t cpp_consume(struct Source* source, struct ArrowArray* array) {
  struct Shared imported;
  if (!import_as(source, array, &imported)) return 0;
  source->cpp.destroy(&imported);
  return 1;
}

/* So many exchanges of a known type; answers how many succeeded. */
ENTRY int64_t cpp_exchange(struct Source* source, int64_t count) {
  struct ArrowArray array;
  int64_t good = 0;
  for (int64_t i = 0; i < count; i++) {
    if (!cpp_export(source, &array)) break;
    good += cpp_consume(source, &array);
  }
  return good;
}

/* The same with the schema each time. */
ENTRY int64_t cpp_exchange_with_schema(struct Source* source, int64_t count) {
  struct ArrowArray array;
  struct ArrowSchema schema;
  int64_t good = 0;
  for (int64_t i = 0; i < count; i++) {
    if (source->cpp.export_to(source->data.object, &array, &schema).state != NULL) break;
    struct Result imported = source->cpp.import_from(&array, &schema);
    if (imported.status != NULL) break;
    source->cpp.destroy(&imported.value);
    good++;
  }
  return good;
}
