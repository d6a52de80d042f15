/*
 * The guarded heap: a range of addresses that is unreadable except for the live blocks. Blocks are handed out round
 * and round, so that a freed block stays unreadable as long as possible. A block has as many whole pages as it needs
 * and the page behind them, which is the page in front of the next block too.
 */
#define _GNU_SOURCE
#include "guarded_heap.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)4096)
#define PAGES ((uint32_t)1 << 22) /* 16 GiB of addresses; they cost nothing before they are used */
/* Linux allows 65,530 mappings for a process. A block and the gap behind it are two, and a process may have two heaps. */
#define MOST_BLOCKS 15000
#define MALLOC_ALIGNMENT 16
#define FRESH 0xCA  /* in a new block */
#define SLACK 0xDB  /* between a block and its guard pages */
#define FILLED ((size_t)1 << 20) /* of a new block; more would only cost memory */

/* One for each page. Only that of a block's first page has the members other than `first`. */
struct Page {
  uint32_t first; /* the block's first page; 0: the page is no block's */
  uint32_t count; /* of the block's pages, without the guard page */
  uint8_t* start;
  size_t bytes;
  uint64_t number; /* blocks are numbered as they are allocated */
  bool live;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint8_t* base; /* of page 0, which is never a block's; NULL: there is no room in this process */
static struct Page* pages;
static uint32_t next = 1;
static uint32_t live;
static uint64_t numbers;
static uint64_t unguarded;
static struct sigaction previous;

static uint32_t page_of(const void* address) { return (uint32_t)(((const uint8_t*)address - base) / PAGE); }

bool guarded_owns(const void* address) {
  const uint8_t* byte = address;
  return base != NULL && byte >= base && byte < base + PAGES * PAGE;
}

/* ---- telling ---- */

static void tell(const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (size > 0 && write(STDERR_FILENO, line, (size_t)size < sizeof line ? (size_t)size : sizeof line) < 0) return;
}

/* The block that the page was last used for, or NULL. */
static const struct Page* block_at(uint32_t page) {
  const struct Page* block = &pages[pages[page].first];
  return pages[page].first != 0 && page < pages[page].first + block->count ? block : NULL;
}

static void describe(const uint8_t* address) {
  uint32_t page = page_of(address);
  const struct Page* block = block_at(page);
  /* The guard page of a block has no entry of its own. */
  if (block == NULL && page > 0) block = block_at(page - 1);
  const struct Page* after = page + 1 < PAGES ? block_at(page + 1) : NULL;
  if (block != NULL && address >= block->start && address < block->start + block->bytes) {
    tell("guarded heap: %p is byte %zu of block %llu of %zu bytes, which was freed\n", (const void*)address,
         (size_t)(address - block->start), (unsigned long long)block->number, block->bytes);
  } else if (block != NULL && address >= block->start) {
    tell("guarded heap: %p is %zu bytes behind the end of block %llu of %zu bytes, which %s\n", (const void*)address,
         (size_t)(address - block->start - block->bytes), (unsigned long long)block->number, block->bytes,
         block->live ? "is live" : "was freed");
  } else {
    tell("guarded heap: %p is in no block\n", (const void*)address);
  }
  if (after != NULL && after != block && after->live) {
    tell("guarded heap: that is %zu bytes before block %llu of %zu bytes\n", (size_t)(after->start - address),
         (unsigned long long)after->number, after->bytes);
  }
}

/* The JVM has installed its handler before; it writes the hs_err file. */
static void on_fault(int signal, siginfo_t* info, void* context) {
  static int told;
  if (guarded_owns(info->si_addr) && __atomic_exchange_n(&told, 1, __ATOMIC_SEQ_CST) == 0) describe(info->si_addr);
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    sigaction(SIGSEGV, &previous, NULL); /* the instruction is tried again, and ends the process */
  }
}

/* Faults in a page that nobody may read, so that the JVM writes down who called. */
__attribute__((noreturn)) static void fail(const char* what, const void* address) {
  tell("guarded heap: %s: %p\n", what, address);
  describe(address);
  for (;;) *(volatile uint8_t*)base = 0;
}

/* ---- blocks ---- */

static void reserve(void) {
  size_t table = PAGES * sizeof *pages;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = mmap(NULL, PAGES * PAGE, PROT_NONE, flags, -1, 0);
  void* entries = mmap(NULL, table, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED || entries == MAP_FAILED || sysconf(_SC_PAGESIZE) != (long)PAGE) return;
  pages = entries;
  base = memory;
  struct sigaction action = {0};
  sigaction(SIGSEGV, NULL, &previous);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  action.sa_mask = previous.sa_mask;
  sigaction(SIGSEGV, &action, NULL);
}

__attribute__((destructor)) static void tell_of_unguarded(void) {
  if (unguarded > 0) {
    tell("guarded heap: %llu of %llu blocks had no guard, because there were too many or they were too large\n",
         (unsigned long long)unguarded, (unsigned long long)(numbers + unguarded));
  }
}

/* The first of `count` pages and a guard page that no live block uses; 0: there are none. The mutex is held. */
static uint32_t find_room(uint32_t count) {
  uint32_t start = next;
  for (int round = 0; round < 2; round++) {
    while ((uint64_t)start + count + 1 <= PAGES) {
      uint32_t page = start;
      while (page <= start + count && !(pages[page].first != 0 && pages[pages[page].first].live)) page++;
      if (page > start + count) return start;
      /* Behind that block and its guard page. */
      start = pages[page].first + pages[pages[page].first].count + 1;
    }
    start = 1;
  }
  return 0;
}

/* A freed block that loses some of its pages to a new one is forgotten as a whole. The mutex is held. */
static void forget(uint32_t page) {
  uint32_t first = pages[page].first;
  if (first == 0) return;
  uint32_t end = first + pages[first].count;
  for (uint32_t i = first; i < end; i++) pages[i] = (struct Page){0};
}

void* guarded_allocate(size_t bytes, size_t alignment, enum GuardedEnd end) {
  pthread_once(&once, reserve);
  /* A block of no bytes has a page that stays unreadable. */
  size_t rounded = bytes == 0 ? PAGE : (bytes + alignment - 1) / alignment * alignment;
  if (base == NULL || rounded > PAGES / 2 * PAGE) return NULL;
  uint32_t count = (uint32_t)((rounded + PAGE - 1) / PAGE);
  pthread_mutex_lock(&mutex);
  uint32_t first = live < MOST_BLOCKS ? find_room(count) : 0;
  uint8_t* inner = base + first * PAGE;
  if (first == 0 || (bytes > 0 && mprotect(inner, count * PAGE, PROT_READ | PROT_WRITE) != 0)) {
    unguarded++;
    pthread_mutex_unlock(&mutex);
    return NULL;
  }
  for (uint32_t i = first; i < first + count; i++) {
    forget(i);
    pages[i].first = first;
  }
  forget(first + count);
  uint8_t* start = end == GUARDED_BEFORE ? inner : inner + count * PAGE - rounded;
  if (bytes > 0) {
    size_t filled = bytes < FILLED ? bytes : FILLED;
    memset(inner, SLACK, (size_t)(start - inner));
    memset(start, FRESH, filled);
    memset(start + bytes, SLACK, (size_t)(inner + count * PAGE - start - bytes));
  }
  pages[first] = (struct Page){first, count, start, bytes, ++numbers, true};
  next = first + count + 1 < PAGES ? first + count + 1 : 1;
  live++;
  pthread_mutex_unlock(&mutex);
  return start;
}

static bool is_slack(const uint8_t* from, const uint8_t* to) {
  for (; from < to; from++) {
    if (*from != SLACK) return false;
  }
  return true;
}

void guarded_release(void* address) {
  pthread_mutex_lock(&mutex);
  struct Page* block = (struct Page*)block_at(page_of(address));
  if (block == NULL || block->start != address) fail("free of what is not the start of a block", address);
  if (!block->live) fail("free of a block that was freed before", address);
  uint8_t* inner = base + (size_t)(block - pages) * PAGE;
  uint8_t* end = inner + block->count * PAGE;
  if (block->bytes > 0 && !(is_slack(inner, block->start) && is_slack(block->start + block->bytes, end))) {
    fail("somebody has written beside the block that is freed", address);
  }
  /* A new mapping: the memory goes back to the system, and the kernel joins it with its unreadable neighbours. */
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(inner, block->count * PAGE, PROT_NONE, flags, -1, 0) == MAP_FAILED) abort();
  block->live = false;
  live--;
  pthread_mutex_unlock(&mutex);
}

/* ---- as the C library has them ---- */

void* guarded_malloc(size_t bytes) {
  void* block = guarded_allocate(bytes, MALLOC_ALIGNMENT, GUARDED_BEHIND);
  return block != NULL ? block : malloc(bytes);
}

void* guarded_calloc(size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) {
    errno = ENOMEM;
    return NULL;
  }
  void* block = guarded_allocate(count * bytes, MALLOC_ALIGNMENT, GUARDED_BEHIND);
  if (block == NULL) return calloc(count, bytes);
  memset(block, 0, count * bytes);
  return block;
}

void* guarded_realloc(void* address, size_t bytes) {
  if (address == NULL) return guarded_malloc(bytes);
  if (!guarded_owns(address)) return realloc(address, bytes);
  void* larger = guarded_malloc(bytes);
  if (larger == NULL) return NULL;
  pthread_mutex_lock(&mutex);
  const struct Page* block = block_at(page_of(address));
  if (block == NULL || block->start != address || !block->live) fail("realloc of what is no live block", address);
  size_t size = block->bytes;
  pthread_mutex_unlock(&mutex);
  memcpy(larger, address, size < bytes ? size : bytes);
  guarded_release(address);
  return larger;
}

void guarded_free(void* address) {
  if (guarded_owns(address)) {
    guarded_release(address);
  } else {
    free(address);
  }
}
