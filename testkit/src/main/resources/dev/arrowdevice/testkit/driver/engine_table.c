/* Handles: a kind, and a number that is never used twice, so that one used after its end is always recognised. */
#include <stdlib.h>

#include "engine.h"

struct Table {
  void** objects;
  uint64_t count;
  uint64_t capacity;
};

static struct Table streams, events, contexts;

void* sim_must(void* memory) {
  if (memory == NULL) abort();
  return memory;
}

static struct Table* table_of(enum SimTableKind kind) {
  if (kind == SIM_CONTEXTS) return &contexts;
  return kind == SIM_STREAMS ? &streams : &events;
}

/* No address of any process looks like this, so that whoever dereferences a handle crashes. */
static uint64_t handle_of(enum SimTableKind kind, uint64_t index) { return (uint64_t)kind << 56 | (index + 1) << 4; }

static bool index_of(uint64_t handle, enum SimTableKind kind, uint64_t* index) {
  if (handle >> 56 != (uint64_t)kind || (handle & 15) != 0) return false;
  *index = (handle << 8 >> 12) - 1;
  return *index < table_of(kind)->count;
}

uint64_t sim_table_add(enum SimTableKind kind, void* object) {
  struct Table* table = table_of(kind);
  if (table->count == table->capacity) {
    table->capacity = table->capacity == 0 ? 256 : table->capacity * 2;
    table->objects = sim_must(realloc(table->objects, table->capacity * sizeof *table->objects));
  }
  table->objects[table->count] = object;
  return handle_of(kind, table->count++);
}

void* sim_table_get(uint64_t handle, enum SimTableKind kind) {
  uint64_t index;
  return index_of(handle, kind, &index) ? table_of(kind)->objects[index] : NULL;
}

void* sim_table_at(uint64_t index, enum SimTableKind kind, bool* end) {
  const struct Table* table = table_of(kind);
  *end = index >= table->count;
  return *end ? NULL : table->objects[index];
}

bool sim_table_had(uint64_t handle, enum SimTableKind kind) {
  uint64_t index;
  return index_of(handle, kind, &index) && table_of(kind)->objects[index] == NULL;
}

void sim_table_remove(uint64_t handle) {
  enum SimTableKind kind = (enum SimTableKind)(handle >> 56);
  uint64_t index;
  if (index_of(handle, kind, &index)) table_of(kind)->objects[index] = NULL;
}
