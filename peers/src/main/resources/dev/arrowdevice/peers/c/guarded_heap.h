/*
 * A heap that ends the process at a wrong read or write. Each block has its own pages, with an unreadable page before
 * and one behind, and ends at the page behind it. A freed block becomes unreadable, and its addresses come back only when all others were used. So a read or write
 * outside of a block, or after it was freed, ends the process where it happens, with a line on stderr that describes
 * the block. Freeing twice, freeing what is no block, and writing into the bytes between a block and its guard page end
 * it too, when `free` is called.
 */
#ifndef ARROW_DEVICE_GUARDED_HEAP_H
#define ARROW_DEVICE_GUARDED_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Which end of the block touches an unreadable page. */
enum GuardedEnd { GUARDED_BEHIND, GUARDED_BEFORE };

/**
 * Memory that is filled with nonsense. It is aligned as asked, and so ends less than `alignment` bytes before the page
 * behind it; with GUARDED_BEFORE it starts right behind the page before it. A block of 0 bytes can't be read.
 * Returns NULL if there are too many blocks already, or no room for this one.
 */
void* guarded_allocate(size_t bytes, size_t alignment, enum GuardedEnd end);
/** Whether the address is in the guarded heap: in a block, in a freed one or in a page between them. */
bool guarded_owns(const void* address);
/** Frees a block. Ends the process if it isn't the start of a live one. */
void guarded_release(void* block);

/* As the functions of the C library. What the guarded heap has no room for, they get from the C library. */
void* guarded_malloc(size_t bytes);
void* guarded_calloc(size_t count, size_t bytes);
void* guarded_realloc(void* block, size_t bytes);
void guarded_free(void* block);

#endif
