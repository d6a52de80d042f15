/*
 * Ownership of what the peer produces. The private_data of a produced struct leads to a node. The node has the
 * addresses of the memory and the children, also after somebody has written to the struct. Memory is filled with 0xDD
 * before it is freed, so that a late reader does not see the old values. In the guarded heap it can't see any.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "guarded_heap.h"
#include "peer.h"

#define POISON 0xDD
#define ALIGNMENT 64
#define GUARDED_ALIGNMENT 8 /* at most 7 bytes behind a buffer can be read */

struct Block {
  struct Block* next;
  uint8_t* memory;  /* what the node uses */
  int64_t bytes;
  void* base;       /* what is freed */
};

struct Child {
  struct Child* next;
  void* address;
  bool is_array;
};

struct Node {
  struct Block* blocks;
  struct Child* children;
  int64_t flags;
  uint32_t generation;
  bool live;
  bool root;
};

/* Nodes are found by index and generation, so a stale handle is recognised without touching freed memory. */
static struct Node* nodes;
static uint32_t node_capacity;
static uint32_t* free_indices;
static uint32_t free_count;
static struct Block* deferred;
static int64_t counters[PEER_COUNTERS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

_Static_assert(sizeof(PeerHandle) == 8, "a handle holds an index and a generation of 32 bits each");

void peer_count(enum PeerCounter counter, int64_t delta) {
  __atomic_add_fetch(&counters[counter], delta, __ATOMIC_SEQ_CST);
}

int64_t peer_counter(int64_t counter) {
  if (counter < 0 || counter >= PEER_COUNTERS) return -1;
  return __atomic_load_n(&counters[counter], __ATOMIC_SEQ_CST);
}

int64_t peer_heap_bytes(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
#else
  return -1;
#endif
}

static void* must(void* memory) {
  if (memory == NULL) abort();
  return memory;
}

static void grow_nodes(void) {
  uint32_t capacity = node_capacity == 0 ? 256 : node_capacity * 2;
  nodes = must(realloc(nodes, capacity * sizeof *nodes));
  free_indices = must(realloc(free_indices, capacity * sizeof *free_indices));
  memset(nodes + node_capacity, 0, (capacity - node_capacity) * sizeof *nodes);
  for (uint32_t index = capacity; index > node_capacity; index--) free_indices[free_count++] = index - 1;
  node_capacity = capacity;
}

PeerHandle peer_node_new(bool root, int64_t flags) {
  pthread_mutex_lock(&mutex);
  if (free_count == 0) grow_nodes();
  uint32_t index = free_indices[--free_count];
  struct Node* node = &nodes[index];
  node->blocks = NULL;
  node->children = NULL;
  node->flags = flags;
  node->generation++;
  node->live = true;
  node->root = root;
  PeerHandle handle = ((PeerHandle)(index + 1) << 32) | node->generation;
  pthread_mutex_unlock(&mutex);
  peer_count(PEER_LIVE_NODES, 1);
  if (root) peer_count(PEER_PRODUCED, 1);
  return handle;
}

/* The mutex is held. */
static struct Node* find(PeerHandle handle) {
  uint32_t index = (uint32_t)(handle >> 32) - 1;
  if (index >= node_capacity) return NULL;
  struct Node* node = &nodes[index];
  return node->live && node->generation == (uint32_t)handle ? node : NULL;
}

static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

static void place_plain(struct Block* block, bool misaligned) {
  size_t size = (size_t)round_up(block->bytes + 1, ALIGNMENT);
  block->base = must(aligned_alloc(ALIGNMENT, size));
  memset(block->base, 0, size);
  block->memory = (uint8_t*)block->base + (misaligned ? 1 : 0);
}

/* Exactly at the guard page, whatever the address is then. */
static void place_at_guard(struct Block* block, enum GuardedEnd end) {
  block->base = must(guarded_allocate((size_t)block->bytes, 1, end));
  block->memory = block->base;
  memset(block->memory, 0, (size_t)block->bytes);
}

/* Aligned or misaligned as asked, and as near to the guard page as that allows. */
static bool place_guarded(struct Block* block, bool misaligned) {
  size_t before = misaligned ? 1 : 0;
  size_t bytes = block->bytes == 0 ? 0 : (size_t)block->bytes + before;
  block->base = guarded_allocate(bytes, misaligned ? 2 : GUARDED_ALIGNMENT, GUARDED_BEHIND);
  if (block->base == NULL) return false;
  block->memory = (uint8_t*)block->base + before;
  memset(block->memory, 0, (size_t)block->bytes);
  return true;
}

static void* attach(PeerHandle handle, int64_t bytes, int64_t placement) {
  struct Block* block = must(calloc(1, sizeof *block));
  block->bytes = bytes;
  bool misaligned = (placement & PEER_MISALIGNED) != 0;
  if (placement & (PEER_GUARD_BEHIND | PEER_GUARD_BEFORE)) {
    place_at_guard(block, placement & PEER_GUARD_BEFORE ? GUARDED_BEFORE : GUARDED_BEHIND);
  } else if (!peer_memory_is_guarded() || !place_guarded(block, misaligned)) {
    place_plain(block, misaligned);
  }
  pthread_mutex_lock(&mutex);
  struct Node* node = find(handle);
  if (node == NULL) abort();
  block->next = node->blocks;
  node->blocks = block;
  pthread_mutex_unlock(&mutex);
  peer_count(PEER_LIVE_BYTES, bytes);
  return block->memory;
}

void* peer_node_buffer(PeerHandle handle, int64_t bytes) {
  pthread_mutex_lock(&mutex);
  struct Node* node = find(handle);
  if (node == NULL) abort();
  int64_t flags = node->flags;
  pthread_mutex_unlock(&mutex);
  if (bytes == 0 && (flags & PEER_EMPTY_IS_NULL)) return NULL;
  return attach(handle, bytes, flags);
}

void* peer_node_alloc(PeerHandle handle, int64_t bytes) { return attach(handle, bytes, 0); }

char* peer_node_bytes(PeerHandle handle, const void* bytes, int64_t size) {
  char* copy = peer_node_buffer(handle, size);
  if (copy != NULL) memcpy(copy, bytes, (size_t)size);
  return copy;
}

static void add_child(PeerHandle handle, void* address, bool is_array) {
  struct Child* child = must(calloc(1, sizeof *child));
  child->address = address;
  child->is_array = is_array;
  pthread_mutex_lock(&mutex);
  struct Node* node = find(handle);
  if (node == NULL) abort();
  child->next = node->children;
  node->children = child;
  pthread_mutex_unlock(&mutex);
}

void peer_node_array_child(PeerHandle handle, struct ArrowArray* child) { add_child(handle, child, true); }
void peer_node_schema_child(PeerHandle handle, struct ArrowSchema* child) { add_child(handle, child, false); }

static void free_blocks(struct Block* block) {
  while (block != NULL) {
    struct Block* next = block->next;
    peer_count(PEER_LIVE_BYTES, -block->bytes);
    memset(block->memory, POISON, (size_t)block->bytes);
    free(block->base);
    free(block);
    block = next;
  }
}

/* Takes the node out of the table; false when the handle is stale. */
static bool take(PeerHandle handle, struct Node* out) {
  pthread_mutex_lock(&mutex);
  struct Node* node = find(handle);
  if (node != NULL) {
    *out = *node;
    node->live = false;
    free_indices[free_count++] = (uint32_t)(handle >> 32) - 1;
  }
  pthread_mutex_unlock(&mutex);
  return node != NULL;
}

static void dispose(struct Node* node) {
  if (!(node->flags & PEER_DEFER_FREE)) {
    free_blocks(node->blocks);
    return;
  }
  pthread_mutex_lock(&mutex);
  while (node->blocks != NULL) {
    struct Block* block = node->blocks;
    node->blocks = block->next;
    block->next = deferred;
    deferred = block;
  }
  pthread_mutex_unlock(&mutex);
}

void peer_free_deferred(void) {
  pthread_mutex_lock(&mutex);
  struct Block* all = deferred;
  deferred = NULL;
  pthread_mutex_unlock(&mutex);
  free_blocks(all);
}

void* peer_node_memory(PeerHandle handle) {
  pthread_mutex_lock(&mutex);
  struct Node* node = find(handle);
  void* memory = node == NULL ? NULL : node->blocks->memory;
  pthread_mutex_unlock(&mutex);
  return memory;
}

void peer_node_release(PeerHandle handle) {
  struct Node node;
  if (!take(handle, &node)) {
    peer_count(PEER_DOUBLE_RELEASES, 1);
    return;
  }
  dispose(&node);
  peer_count(PEER_LIVE_NODES, -1);
  if (node.root) peer_count(PEER_RELEASED, 1);
}

/* Nodes whose children are gone and whose memory is still to go: children live inside their parent's memory. */
struct Pending {
  struct Pending* next;
  struct Node node;
};

/*
 * Releases a whole tree in constant stack, since trees of 10,000 levels occur. A child that was moved out is marked
 * released and left alone; a child that somebody replaced by another producer's goes through its own callback.
 */
static void release_tree(void* address, bool is_array) {
  struct Child* work = must(calloc(1, sizeof *work));
  struct Pending* pending = NULL;
  work->address = address;
  work->is_array = is_array;
  while (work != NULL) {
    struct Child* item = work;
    work = item->next;
    struct ArrowArray* array = item->is_array ? item->address : NULL;
    struct ArrowSchema* schema = item->is_array ? NULL : item->address;
    free(item);
    PeerHandle handle = (PeerHandle)(array != NULL ? array->private_data : schema->private_data);
    if (array != NULL && array->release != peer_release_produced_array) {
      if (array->release != NULL) array->release(array);
      continue;
    }
    if (schema != NULL && schema->release != peer_release_produced_schema) {
      if (schema->release != NULL) schema->release(schema);
      continue;
    }
    struct Pending* taken = must(calloc(1, sizeof *taken));
    if (!take(handle, &taken->node)) {
      free(taken);
      peer_count(PEER_DOUBLE_RELEASES, 1);
    } else {
      taken->next = pending;
      pending = taken;
      while (taken->node.children != NULL) {
        struct Child* child = taken->node.children;
        taken->node.children = child->next;
        child->next = work;
        work = child;
      }
    }
    if (array != NULL) array->release = NULL;
    if (schema != NULL) schema->release = NULL;
  }
  while (pending != NULL) {
    struct Pending* next = pending->next;
    bool root = pending->node.root;
    dispose(&pending->node);
    free(pending);
    peer_count(PEER_LIVE_NODES, -1);
    if (root) peer_count(PEER_RELEASED, 1);
    pending = next;
  }
}

void peer_release_produced_array(struct ArrowArray* array) { release_tree(array, true); }
void peer_release_produced_schema(struct ArrowSchema* schema) { release_tree(schema, false); }
