/* The heap of the peer: that of the C library, or the guarded heap once peer_guard_memory was called. */
#ifndef ARROW_DEVICE_PEER_HEAP_H
#define ARROW_DEVICE_PEER_HEAP_H

#include <stddef.h>
#include <stdlib.h>

void* peer_malloc(size_t bytes);
void* peer_calloc(size_t count, size_t bytes);
void* peer_realloc(void* block, size_t bytes);
/** Frees memory of either heap. */
void peer_free(void* block);

#define malloc peer_malloc
#define calloc peer_calloc
#define realloc peer_realloc
#define free peer_free

#endif
