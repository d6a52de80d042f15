/*
 * Memory. The addresses of device memory lie in a range that nobody can read or write; its bytes are elsewhere, and only
 * copies know where. Addresses are never given out twice, so that whatever touches freed memory is noticed: by the table
 * if a copy does it, by a fault if the host does it, since freed host memory is closed as well.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"

#define LARGEST_RANGE ((uint64_t)2 << 40)
#define SMALLEST_RANGE ((uint64_t)1 << 30)
#define DEVICE_ALIGNMENT 512
#define HOST_ALIGNMENT 4096
#define POISON 0xA5
#define POISONED_BYTES 65536

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* A range of addresses, and what was allocated in it, in the order of addresses. */
struct Range {
  uint64_t base;
  uint64_t bytes;
  uint64_t used;
  struct SimAllocation** allocations;
  size_t count;
  size_t capacity;
};

static struct Range device_range, host_range;

static bool is_hidden(int kind) {
  return kind == SIM_DEVICE || kind == SIM_POOL || (kind == SIM_MANAGED && sim_mode(SIM_MANAGED_MIGRATES));
}

static uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

static bool reserve(struct Range* range) {
  for (uint64_t bytes = LARGEST_RANGE; range->base == 0 && bytes >= SMALLEST_RANGE; bytes /= 2) {
    void* base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) continue;
    range->base = (uint64_t)base;
    range->bytes = bytes;
  }
  return range->base != 0;
}

static struct SimAllocation* append(struct Range* range) {
  if (range->count == range->capacity) {
    range->capacity = range->capacity == 0 ? 256 : range->capacity * 2;
    range->allocations = sim_must(realloc(range->allocations, range->capacity * sizeof *range->allocations));
  }
  struct SimAllocation* allocation = sim_must(calloc(1, sizeof *allocation));
  range->allocations[range->count++] = allocation;
  return allocation;
}

static uint8_t* open_host(uint64_t base, uint64_t bytes) {
  return mprotect((void*)base, round_up(bytes, HOST_ALIGNMENT), PROT_READ | PROT_WRITE) == 0 ? (uint8_t*)base : NULL;
}

static uint8_t* open_shadow(uint64_t bytes) {
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static bool fits(enum SimKind kind, int device, uint64_t bytes) {
  uint64_t limit = (uint64_t)sim.options[kind == SIM_PINNED ? SIM_PINNED_BYTES : SIM_DEVICE_BYTES];
  uint64_t used = (uint64_t)(kind == SIM_PINNED ? sim.live_bytes[SIM_PINNED] : sim.device_bytes[device]);
  return bytes <= limit && used <= limit - bytes;
}

static void count(const struct SimAllocation* allocation, int sign) {
  sim.live[allocation->kind] += sign;
  sim.live_bytes[allocation->kind] += sign * (int64_t)allocation->bytes;
  if (allocation->kind == SIM_DEVICE || allocation->kind == SIM_POOL) sim.device_bytes[allocation->device] += sign * (int64_t)allocation->bytes;
}

int sim_allocate(enum SimKind kind, int device, uint64_t bytes, struct SimAllocation** out) {
  bool hidden = is_hidden(kind);
  struct Range* range = hidden ? &device_range : &host_range;
  uint64_t alignment = hidden ? DEVICE_ALIGNMENT : HOST_ALIGNMENT;
  sim_detail(" bytes=%" PRIu64, bytes);
  if (bytes == 0) return SIM_INVALID_VALUE;
  if (kind == SIM_MANAGED && !fits(SIM_DEVICE, device, bytes)) {
    sim_violation("%s of %" PRIu64 " bytes, more than are free, which can hang a device", sim_call_name(), bytes);
    return SIM_OUT_OF_MEMORY;
  }
  if (!fits(kind, device, bytes) || !reserve(range)) return SIM_OUT_OF_MEMORY;
  /* At least one step of nobody's memory follows, so that one byte too many is always outside. */
  uint64_t step = round_up(bytes, alignment) + alignment;
  if (step > range->bytes - range->used - alignment) return SIM_OUT_OF_MEMORY;
  uint64_t base = range->base + alignment + range->used;
  uint8_t* memory = hidden ? open_shadow(bytes) : open_host(base, bytes);
  if (memory == NULL) return SIM_OUT_OF_MEMORY;
  memset(memory, POISON, bytes < POISONED_BYTES ? bytes : POISONED_BYTES);
  range->used += step;
  struct SimAllocation* allocation = append(range);
  allocation->base = base;
  allocation->bytes = bytes;
  allocation->memory = memory;
  allocation->device = (int16_t)device;
  allocation->kind = (uint8_t)kind;
  allocation->hidden = hidden;
  allocation->state = SIM_LIVE;
  allocation->ready = true;
  count(allocation, 1);
  sim_detail(" at=0x%" PRIx64, base);
  *out = allocation;
  return SIM_OK;
}

/* Where a running operation still has its hands on the bytes, they go when it ends. */
static void unmap(struct SimAllocation* allocation) {
  if (allocation->running > 0 || allocation->memory == NULL) return;
  if (!allocation->hidden) {
    uint64_t bytes = round_up(allocation->bytes, HOST_ALIGNMENT);
    /* Mapped anew, not only closed: that gives the pages back. */
    mmap(allocation->memory, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  } else {
    munmap(allocation->memory, allocation->bytes);
  }
  allocation->memory = NULL;
}

void sim_release(struct SimAllocation* allocation) {
  /* A device that is lost carries out nothing any more, and nobody can wait for what it has queued. */
  if (allocation->uses > 0 && sim.lost[allocation->device] == SIM_OK) {
    sim_violation("memory 0x%" PRIx64 " was freed while %u queued operations use it", allocation->base, allocation->uses);
  }
  allocation->state = SIM_FREED;
  count(allocation, -1);
  unmap(allocation);
}

void sim_ran(struct SimAllocation* allocation) {
  allocation->running--;
  if (allocation->state == SIM_FREED) unmap(allocation);
}

static struct Range* range_of(uint64_t address) {
  if (address - device_range.base < device_range.bytes) return &device_range;
  return address - host_range.base < host_range.bytes ? &host_range : NULL;
}

/* The last one that begins at or below the address. */
static struct SimAllocation* below(const struct Range* range, uint64_t address) {
  size_t low = 0, high = range->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (range->allocations[middle]->base <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? NULL : range->allocations[low - 1];
}

struct SimAllocation* sim_find(uint64_t address) {
  struct Range* range = range_of(address);
  struct SimAllocation* allocation = range == NULL ? NULL : below(range, address);
  return allocation != NULL && address - allocation->base < allocation->bytes ? allocation : NULL;
}

int sim_freeable(uint64_t address, unsigned kinds, struct SimAllocation** out) {
  sim_detail(" at=0x%" PRIx64, address);
  struct SimAllocation* allocation = sim_find(address);
  if (allocation == NULL || allocation->base != address) {
    sim_violation("%s of 0x%" PRIx64 ", which was never allocated", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  if (allocation->state == SIM_FREED || allocation->state == SIM_FREEING) {
    sim_violation("%s of 0x%" PRIx64 ", which has been freed", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  if (!(kinds & SIM_KIND(allocation->kind))) {
    sim_violation("%s of 0x%" PRIx64 ", which another kind of function allocated", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  *out = allocation;
  return SIM_OK;
}

int sim_free(uint64_t address, unsigned kinds) {
  struct SimAllocation* allocation;
  int code = sim_freeable(address, kinds, &allocation);
  if (code == SIM_OK) sim_release(allocation);
  return code;
}

int sim_locate(uint64_t address, uint64_t bytes, struct SimSpan* out) {
  out->address = address;
  out->allocation = NULL;
  if (range_of(address) == NULL) return SIM_OK;
  struct SimAllocation* allocation = sim_find(address);
  if (allocation == NULL) {
    sim_violation("%s got 0x%" PRIx64 ", which is in no allocation", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  if (allocation->state == SIM_FREED || allocation->state == SIM_FREEING) {
    sim_violation("%s got 0x%" PRIx64 ", which has been freed", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  if (bytes > allocation->bytes - (address - allocation->base)) {
    sim_violation("%s goes beyond the end of 0x%" PRIx64, sim_call_name(), allocation->base);
    return SIM_INVALID_VALUE;
  }
  out->allocation = allocation;
  return SIM_OK;
}

uint8_t* sim_bytes_at(const struct SimSpan* span) {
  struct SimAllocation* allocation = span->allocation;
  return allocation == NULL ? (uint8_t*)span->address : allocation->memory + (span->address - allocation->base);
}

/* What the driver says, which may be more than what the program asked for. */
uint64_t sim_range_bytes(const struct SimAllocation* allocation) {
  return sim_mode(SIM_ROUNDED_RANGES) ? round_up(allocation->bytes, DEVICE_ALIGNMENT) : allocation->bytes;
}

bool sim_on_device(const struct SimSpan* span) {
  return span->allocation != NULL && span->allocation->kind != SIM_PINNED;
}

void sim_describe_memory(void (*line)(void* sink, const char* text), void* sink) {
  static const char* const names[] = {"device", "pool", "pinned", "managed"};
  const struct Range* ranges[] = {&device_range, &host_range};
  for (int r = 0; r < 2; r++) {
    for (size_t i = 0; i < ranges[r]->count; i++) {
      const struct SimAllocation* it = ranges[r]->allocations[i];
      if (it->state == SIM_FREED) continue;
      char text[160];
      snprintf(text, sizeof text, "%s memory 0x%" PRIx64 ", %" PRIu64 " bytes, device %d, %u queued uses", names[it->kind],
               it->base, it->bytes, it->device, it->uses);
      line(sink, text);
    }
  }
}
