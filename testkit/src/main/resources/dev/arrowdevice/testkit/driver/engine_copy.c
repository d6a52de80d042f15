/*
 * What is put on a stream: copies, fills, stream-ordered memory, host functions. Ordinary host memory is read and
 * written when the copy runs, never when it is queued; a real driver stages some of it, which nobody should rely on.
 */
#include <inttypes.h>

#include "engine.h"

static int locate(uint64_t address, enum SimSide side, uint64_t bytes, int device, struct SimSpan* out) {
  int code = sim_locate(address, bytes, out);
  if (code != SIM_OK) return code;
  int kind = out->allocation == NULL ? -1 : out->allocation->kind;
  if (kind == SIM_POOL && side != SIM_PEER_SIDE && out->allocation->device != device &&
      sim_mode(SIM_POOLS_WITHOUT_PEERS)) {
    return SIM_INVALID_VALUE;
  }
  if (side == SIM_ANY_SIDE) return SIM_OK;
  if (side == SIM_HOST_SIDE && (kind == SIM_DEVICE || kind == SIM_POOL)) {
    sim_violation("%s got 0x%" PRIx64 ", device memory, as host memory", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  if (side != SIM_HOST_SIDE && kind < 0) {
    sim_violation("%s got 0x%" PRIx64 ", host memory, as device memory", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  return SIM_OK;
}

static void use(struct SimAllocation* allocation) {
  if (allocation != NULL) allocation->uses++;
}

static int submit(struct SimStream* stream, struct SimOperation* operation, bool wait) {
  use(operation->to.allocation);
  use(operation->from.allocation);
  operation->delayed = !wait;
  sim_detail(" bytes=%" PRIu64 " operation=%" PRIu64, operation->bytes, operation->order);
  return wait ? sim_await(sim_enqueue_mark(stream)) : SIM_OK;
}

static bool is_host(const struct SimSpan* span) {
  return span->allocation == NULL || span->allocation->kind == SIM_PINNED || span->allocation->kind == SIM_MANAGED;
}

/* "For transfers from any host memory to any host memory, the function is fully synchronous with respect to the host";
 * so is one from the device to pageable memory. Where managed memory lies is not known: it may be the host. */
static bool is_synchronous(const struct SimSpan* to, const struct SimSpan* from) {
  return sim_mode(SIM_SYNCHRONOUS_HOST_COPIES) && is_host(to) && (is_host(from) || to->allocation == NULL);
}

int sim_copy(uint64_t to, enum SimSide to_side, uint64_t from, enum SimSide from_side, uint64_t bytes,
             uint64_t stream_handle, bool wait) {
  sim_detail(" to=0x%" PRIx64 " from=0x%" PRIx64, to, from);
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK || bytes == 0) return code;
  struct SimSpan target, source;
  code = locate(to, to_side, bytes, stream->device, &target);
  if (code == SIM_OK) code = locate(from, from_side, bytes, stream->device, &source);
  if (code != SIM_OK) return code;
  if (to == 0 || from == 0) return SIM_INVALID_VALUE;
  struct SimOperation* operation = sim_enqueue(stream, SIM_COPY);
  operation->to = target;
  operation->from = source;
  operation->bytes = bytes;
  return submit(stream, operation, wait || is_synchronous(&target, &source));
}

int sim_wait_value_on(uint64_t stream_handle, uint64_t address, uint32_t value, unsigned flags) {
  sim_detail(" at=0x%" PRIx64, address);
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK) return code;
  if (flags > 3 || address % sizeof value != 0) return SIM_INVALID_VALUE;
  struct SimSpan word;
  code = locate(address, SIM_DEVICE_SIDE, sizeof value, stream->device, &word);
  if (code != SIM_OK) return code;
  struct SimOperation* operation = sim_enqueue(stream, SIM_WAIT_VALUE);
  operation->from = word;
  operation->bytes = sizeof value;
  operation->value = value;
  operation->width = flags;
  return submit(stream, operation, false);
}

int sim_fill(uint64_t to, uint32_t value, uint32_t width, uint64_t count, uint64_t stream_handle, bool wait) {
  sim_detail(" to=0x%" PRIx64, to);
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK || count == 0) return code;
  if (count > UINT64_MAX / width) return SIM_INVALID_VALUE;
  struct SimSpan target;
  code = locate(to, SIM_DEVICE_SIDE, count * width, stream->device, &target);
  if (code != SIM_OK) return code;
  struct SimOperation* operation = sim_enqueue(stream, SIM_FILL);
  operation->to = target;
  operation->bytes = count * width;
  operation->value = value;
  operation->width = width;
  return submit(stream, operation, wait);
}

int sim_allocate_on(uint64_t bytes, uint64_t stream_handle, uint64_t* out) {
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK) return code;
  if (!sim.options[SIM_POOLS]) return SIM_NOT_SUPPORTED;
  struct SimAllocation* allocation;
  code = sim_allocate(SIM_POOL, stream->device, bytes, &allocation);
  if (code != SIM_OK) return code;
  allocation->ready = false;
  sim_enqueue(stream, SIM_ALLOCATE)->allocation = allocation;
  sim_detail(" operation=%" PRIu64, stream->last->order);
  *out = allocation->base;
  return SIM_OK;
}

int sim_free_on(uint64_t address, uint64_t stream_handle) {
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK) return code;
  struct SimAllocation* allocation;
  code = sim_freeable(address, SIM_KIND(SIM_POOL), &allocation);
  if (code != SIM_OK) return code;
  allocation->state = SIM_FREEING;
  sim.freeing_bytes[allocation->device] += (int64_t)allocation->bytes;
  sim_enqueue(stream, SIM_FREE)->allocation = allocation;
  sim_detail(" operation=%" PRIu64, stream->last->order);
  return SIM_OK;
}

int sim_call_on(uint64_t stream_handle, SimHostFunction function, SimCallback callback, void* data) {
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK) return code;
  if (function == NULL && callback == NULL) return SIM_INVALID_VALUE;
  struct SimOperation* operation = sim_enqueue(stream, function != NULL ? SIM_HOST_FUNCTION : SIM_CALL_BACK);
  operation->function = function;
  operation->callback = callback;
  operation->data = data;
  sim.live[SIM_CALLBACK]++;
  sim_detail(" operation=%" PRIu64, operation->order);
  return SIM_OK;
}
