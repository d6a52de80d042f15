/* The heap of the peer. It calls the C library by name, so it does without the names of peer_heap.h. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "guarded_heap.h"

#define PEER_API __attribute__((visibility("default")))

static bool guarded;

PEER_API void peer_guard_memory(void) { guarded = true; }
bool peer_memory_is_guarded(void) { return guarded; }

void* peer_malloc(size_t bytes) { return guarded ? guarded_malloc(bytes) : malloc(bytes); }
void* peer_calloc(size_t count, size_t bytes) { return guarded ? guarded_calloc(count, bytes) : calloc(count, bytes); }
void* peer_realloc(void* block, size_t bytes) { return guarded ? guarded_realloc(block, bytes) : realloc(block, bytes); }
void peer_free(void* block) { guarded_free(block); }

PEER_API void* peer_allocate(int64_t bytes) { return peer_calloc(1, (size_t)bytes); }
PEER_API void peer_deallocate(void* memory) { peer_free(memory); }
