/*
 * In place of the JDK's libsyslookup, in which the JVM looks for functions of the C library: `malloc` and `free` are
 * those of the guarded heap, for all who find them by Linker.defaultLookup(). Nobody else gets them: the JVM opens this
 * library for itself, so the calls of all libraries, those in guarded_heap.c too, go to the C library as before.
 */
#include <stdlib.h>

#include "guarded_heap.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void* malloc(size_t bytes) { return guarded_malloc(bytes); }
EXPORTED void* calloc(size_t count, size_t bytes) { return guarded_calloc(count, bytes); }
EXPORTED void* realloc(void* block, size_t bytes) { return guarded_realloc(block, bytes); }
EXPORTED void free(void* block) { guarded_free(block); }
