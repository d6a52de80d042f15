/* Sizes and offsets of the ABI structs as this compiler lays them out. */
#include <stddef.h>

#include "peer.h"

#define SIZE(type) peer_text_add(&text, "%s %zu\n", #type, sizeof(struct type))
#define MEMBER(type, member) peer_text_add(&text, "%s.%s %zu\n", #type, #member, offsetof(struct type, member))

int peer_abi_layout(char** out) {
  struct PeerText text = {0};
  SIZE(ArrowSchema);
  MEMBER(ArrowSchema, format);
  MEMBER(ArrowSchema, name);
  MEMBER(ArrowSchema, metadata);
  MEMBER(ArrowSchema, flags);
  MEMBER(ArrowSchema, n_children);
  MEMBER(ArrowSchema, children);
  MEMBER(ArrowSchema, dictionary);
  MEMBER(ArrowSchema, release);
  MEMBER(ArrowSchema, private_data);
  SIZE(ArrowArray);
  MEMBER(ArrowArray, length);
  MEMBER(ArrowArray, null_count);
  MEMBER(ArrowArray, offset);
  MEMBER(ArrowArray, n_buffers);
  MEMBER(ArrowArray, n_children);
  MEMBER(ArrowArray, buffers);
  MEMBER(ArrowArray, children);
  MEMBER(ArrowArray, dictionary);
  MEMBER(ArrowArray, release);
  MEMBER(ArrowArray, private_data);
  SIZE(ArrowDeviceArray);
  MEMBER(ArrowDeviceArray, array);
  MEMBER(ArrowDeviceArray, device_id);
  MEMBER(ArrowDeviceArray, device_type);
  MEMBER(ArrowDeviceArray, sync_event);
  MEMBER(ArrowDeviceArray, reserved);
  SIZE(ArrowArrayStream);
  MEMBER(ArrowArrayStream, get_schema);
  MEMBER(ArrowArrayStream, get_next);
  MEMBER(ArrowArrayStream, get_last_error);
  MEMBER(ArrowArrayStream, release);
  MEMBER(ArrowArrayStream, private_data);
  SIZE(ArrowDeviceArrayStream);
  MEMBER(ArrowDeviceArrayStream, device_type);
  MEMBER(ArrowDeviceArrayStream, get_schema);
  MEMBER(ArrowDeviceArrayStream, get_next);
  MEMBER(ArrowDeviceArrayStream, get_last_error);
  MEMBER(ArrowDeviceArrayStream, release);
  MEMBER(ArrowDeviceArrayStream, private_data);
  SIZE(ArrowAsyncTask);
  MEMBER(ArrowAsyncTask, extract_data);
  MEMBER(ArrowAsyncTask, private_data);
  SIZE(ArrowAsyncProducer);
  MEMBER(ArrowAsyncProducer, device_type);
  MEMBER(ArrowAsyncProducer, request);
  MEMBER(ArrowAsyncProducer, cancel);
  MEMBER(ArrowAsyncProducer, additional_metadata);
  MEMBER(ArrowAsyncProducer, private_data);
  SIZE(ArrowAsyncDeviceStreamHandler);
  MEMBER(ArrowAsyncDeviceStreamHandler, on_schema);
  MEMBER(ArrowAsyncDeviceStreamHandler, on_next_task);
  MEMBER(ArrowAsyncDeviceStreamHandler, on_error);
  MEMBER(ArrowAsyncDeviceStreamHandler, release);
  MEMBER(ArrowAsyncDeviceStreamHandler, producer);
  MEMBER(ArrowAsyncDeviceStreamHandler, private_data);
  *out = text.chars;
  return 0;
}
