/*
 * What is put on a stream: copies, fills, stream-ordered memory, host functions. Ordinary host memory is read and
 * written when the copy runs, never when it is queued; a real driver stages some of it, which nobody should rely on.
 */
#include <inttypes.h>

#include "engine.h"

static int locate(uint64_t address, enum SimSide side, uint64_t bytes, struct SimSpan* out) {
  int code = sim_locate(address, bytes, out);
  if (code != SIM_OK || side == SIM_ANY_SIDE) return code;
  int kind = out->allocation == NULL ? -1 : out->allocation->kind;
  if (side == SIM_HOST_SIDE && (kind == SIM_DEVICE || kind == SIM_POOL)) {
    sim_violation("%s got 0x%" PRIx64 ", device memory, as host memory", sim_call_name(), address);
    return SIM_INVALID_VALUE;
  }
  if (side == SIM_DEVICE_SIDE && kind < 0) {
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

int sim_copy(uint64_t to, enum SimSide to_side, uint64_t from, enum SimSide from_side, uint64_t bytes,
             uint64_t stream_handle, bool wait) {
  sim_detail(" to=0x%" PRIx64 " from=0x%" PRIx64, to, from);
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK || bytes == 0) return code;
  struct SimSpan target, source;
  code = locate(to, to_side, bytes, &target);
  if (code == SIM_OK) code = locate(from, from_side, bytes, &source);
  if (code != SIM_OK) return code;
  if (to == 0 || from == 0) return SIM_INVALID_VALUE;
  struct SimOperation* operation = sim_enqueue(stream, SIM_COPY);
  operation->to = target;
  operation->from = source;
  operation->bytes = bytes;
  return submit(stream, operation, wait);
}

int sim_fill(uint64_t to, uint32_t value, uint32_t width, uint64_t count, uint64_t stream_handle, bool wait) {
  sim_detail(" to=0x%" PRIx64, to);
  struct SimStream* stream;
  int code = sim_stream_find(stream_handle, &stream);
  if (code != SIM_OK || count == 0) return code;
  if (count > UINT64_MAX / width) return SIM_INVALID_VALUE;
  struct SimSpan target;
  code = locate(to, SIM_DEVICE_SIDE, count * width, &target);
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
