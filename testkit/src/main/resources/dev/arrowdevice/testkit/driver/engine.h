/*
 * A GPU driver that needs no GPU. Its faces, cuda_*.c and hip_*.c, are the functions that programs know; behind them is
 * one engine: memory that the host cannot read, a worker thread for each stream, events, and a table of what is live.
 * It is stricter than a real driver: what a real one forgives or leaves undefined is noted as a violation here.
 *
 * One lock guards everything. A face takes it with SIM_CALL, which is also where a call may be refused, and gives it
 * back with sim_leave; all functions of this header are called in between unless they say otherwise.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_API __attribute__((visibility("default")))
#define SIM_FORMAT(text, values) __attribute__((format(printf, text, values)))
#define SIM_MAX_DEVICES 8
#define SIM_KIND(kind) (1u << (kind))

/* The numbers are the same in CUDA and HIP. */
enum SimCode {
  SIM_OK = 0,
  SIM_INVALID_VALUE = 1,
  SIM_OUT_OF_MEMORY = 2,
  SIM_NOT_INITIALIZED = 3,
  SIM_NO_DEVICE = 100,
  SIM_INVALID_DEVICE = 101,
  SIM_INVALID_CONTEXT = 201,
  SIM_PEER_UNSUPPORTED = 217,
  SIM_INVALID_HANDLE = 400,
  SIM_NOT_FOUND = 500,
  SIM_NOT_READY = 600,
  SIM_ILLEGAL_ADDRESS = 700,
  SIM_PEER_ENABLED = 704,
  SIM_NOT_PERMITTED = 800,
  SIM_NOT_SUPPORTED = 801
};

/* What the table of live things counts. */
enum SimKind {
  SIM_DEVICE,   /* device memory */
  SIM_POOL,     /* stream-ordered device memory */
  SIM_PINNED,   /* host memory that the driver made */
  SIM_MANAGED,
  SIM_STREAM,   /* without the default streams */
  SIM_EVENT,
  SIM_CONTEXT,  /* times that a primary context is retained */
  SIM_CURRENT,  /* contexts pushed by any thread and not popped */
  SIM_CALLBACK, /* host functions that are queued or run */
  SIM_QUEUED,   /* operations that are queued or run */
  SIM_KINDS
};

enum SimOption {
  SIM_DEVICES,
  SIM_DEVICE_BYTES,  /* of each device */
  SIM_PINNED_BYTES,
  SIM_DELAY_MICROS,  /* before each asynchronous copy */
  SIM_POOLS,         /* the rest: whether devices can do it */
  SIM_MANAGES,
  SIM_CONCURRENT_MANAGED,
  SIM_PEERS,
  SIM_CUDA_VERSION, /* what cuDriverGetVersion answers */
  SIM_MODES,        /* a bit for each mode */
  SIM_OPTIONS
};

/* What the documentation of drivers allows, and this one does only if it is asked to. */
enum SimMode {
  SIM_SYNCHRONOUS_HOST_COPIES,
  SIM_IMPLICIT_SYNCHRONIZATION,
  SIM_SERIAL_CALLBACKS,
  SIM_BLOCKING_CALLBACKS,
  SIM_CALLBACKS_AT_EXIT,
  SIM_WAITING_IN_CALLBACKS,
  SIM_ROUNDED_RANGES,
  SIM_STICKY_ERRORS,
  SIM_POOLS_WITHOUT_PEERS,
  SIM_MANAGED_MIGRATES
};

enum SimAllocationState { SIM_LIVE, SIM_FREEING, SIM_FREED };

struct SimAllocation {
  uint64_t base; /* what the program got */
  uint64_t bytes;
  uint8_t* memory; /* where the bytes lie: elsewhere for device memory */
  uint32_t uses;    /* queued or running operations on it */
  uint32_t running;
  int16_t device;
  uint8_t kind;
  uint8_t state;
  bool hidden; /* the host can't read it at its address */
  bool ready;  /* its stream has reached the allocation */
};

/* One side of a copy: in an allocation of ours or, without one, in ordinary host memory. */
struct SimSpan {
  struct SimAllocation* allocation;
  uint64_t address;
};

/* One recording of an event, or the end of what a host thread waits for. Streams and events come and go, marks stay. */
struct SimMark {
  int references;
  int code;
  bool done;
  bool paused;
  int64_t nanos;
};

struct SimEvent {
  uint64_t handle;
  struct SimMark* mark; /* the latest recording, or NULL */
  int device;
  unsigned flags;
  bool paused;
};

enum SimOperationKind {
  SIM_COPY,
  SIM_FILL,
  SIM_RECORD,
  SIM_WAIT,
  SIM_HOST_FUNCTION,
  SIM_CALL_BACK,
  SIM_ALLOCATE,
  SIM_FREE,
  SIM_WAIT_VALUE
};

typedef void (*SimHostFunction)(void* data);
typedef void (*SimCallback)(uint64_t stream, int code, void* data);

struct SimOperation {
  struct SimOperation* next;
  uint64_t order;
  enum SimOperationKind kind;
  bool delayed;
  int lost; /* the code of a device that was lost since: it is never done, even if the device comes back */
  struct SimSpan to, from;
  uint64_t bytes;
  uint32_t value;
  uint32_t width; /* of the value in bytes; of a wait, how the word is compared with it */
  struct SimMark* mark;
  struct SimAllocation* allocation;
  SimHostFunction function;
  SimCallback callback;
  void* data;
};

struct SimStream {
  struct SimStream* next;
  uint64_t handle;
  int device;
  unsigned flags;
  int priority;
  bool paused;
  bool closing;
  struct SimOperation* first; /* the one that runs stays here until its end */
  struct SimOperation* last;
  int64_t queued;
};

#define SIM_NON_BLOCKING 1u
#define SIM_LEGACY_STREAM 1u
#define SIM_PER_THREAD_STREAM 2u

struct SimEngine {
  int64_t options[SIM_OPTIONS];
  int64_t live[SIM_KINDS];
  int64_t live_bytes[SIM_KINDS];
  int64_t device_bytes[SIM_MAX_DEVICES];
  int64_t freeing_bytes[SIM_MAX_DEVICES]; /* the part of it whose free is queued */
  int errors[SIM_MAX_DEVICES]; /* of a failed operation: every later call reports it */
  int lost[SIM_MAX_DEVICES];
  bool initialized;
  bool paused;
  int calling; /* host functions that run */
  struct SimStream* streams; /* default ones and closing ones too */
  uint64_t order;
};

extern struct SimEngine sim;

/* engine_call.c */
enum SimNeeds {
  SIM_NOTHING = 0,
  SIM_INIT = 1,
  SIM_CURRENT_DEVICE = 2,
  SIM_GIVES_BACK = 4, /* done also on a device that has failed, which is reported afterwards */
  SIM_QUIET = 8,      /* traced only if it fails, and not for work that is not ready */
  SIM_IN_CALLBACK = 16,
  SIM_LAUNCHES = 32 /* puts work on a stream, which may have to wait for a host function that runs */
};
int sim_enter(const char* name, unsigned needs); /* takes the lock; keeps it if it returns SIM_OK */
int sim_leave(int code);
void sim_detail(const char* format, ...) SIM_FORMAT(1, 2);
const char* sim_call_name(void);
bool sim_has_device(int device);
void sim_default_options(void);
bool sim_mode(enum SimMode mode);
int sim_last_code(bool clear); /* of this thread's calls; needs no lock */
int sim_device_code(int device);
extern __thread bool sim_in_callback;
#define SIM_CALL(needs)                         \
  do {                                          \
    int refused = sim_enter(__func__, (needs)); \
    if (refused != SIM_OK) return refused;      \
  } while (0)

/* Of the face: the device that calls of this thread go to, or -1; what a call gets where there is none, and within a
 * host function. */
int sim_face_device(void);
int sim_face_no_device(void);
extern const int sim_face_callback_code;

/* engine_trace.c */
void sim_trace(const char* format, ...) SIM_FORMAT(1, 2);
void sim_violation(const char* format, ...) SIM_FORMAT(1, 2);
void sim_clear_texts(void);

/* engine_fault.c */
int sim_injected(const char* name);
int sim_injected_copy(void);
void sim_clear_faults(void);

/* engine_memory.c */
int sim_allocate(enum SimKind kind, int device, uint64_t bytes, struct SimAllocation** out);
void sim_release(struct SimAllocation* allocation);
void sim_ran(struct SimAllocation* allocation);
/* The allocation that begins at the address, if it may be freed now. `kinds` has a bit for each kind that the function may free. */
int sim_freeable(uint64_t address, unsigned kinds, struct SimAllocation** out);
int sim_free(uint64_t address, unsigned kinds);
int sim_locate(uint64_t address, uint64_t bytes, struct SimSpan* out);
struct SimAllocation* sim_find(uint64_t address);
uint8_t* sim_bytes_at(const struct SimSpan* span);
uint64_t sim_range_bytes(const struct SimAllocation* allocation);
bool sim_on_device(const struct SimSpan* span);
void sim_describe_memory(void (*line)(void* sink, const char* text), void* sink);

/* engine_stream.c */
void sim_lock(void);
void sim_unlock(void);
void sim_wait_for_change(void);
void sim_changed(void);
int64_t sim_nanos(void);
int sim_stream_create(int device, unsigned flags, int priority, uint64_t* out);
int sim_stream_destroy(uint64_t handle);
int sim_stream_find(uint64_t handle, struct SimStream** out);
struct SimOperation* sim_enqueue(struct SimStream* stream, enum SimOperationKind kind);
struct SimMark* sim_enqueue_mark(struct SimStream* stream);
int sim_await(struct SimMark* mark); /* gives the reference back */
int sim_await_device(int device);
void sim_await_implicitly(void);
int sim_stream_query(const struct SimStream* stream);
/* Notes a violation if there is memory or a stream of it, which its end would take away. */
void sim_expect_unused(int device, const char* end);

/* engine_run.c */
void sim_run(struct SimStream* stream, struct SimOperation* operation);

/* engine_copy.c */
enum SimSide { SIM_ANY_SIDE, SIM_HOST_SIDE, SIM_DEVICE_SIDE, SIM_PEER_SIDE };
int sim_copy(uint64_t to, enum SimSide to_side, uint64_t from, enum SimSide from_side, uint64_t bytes, uint64_t stream,
             bool wait);
int sim_fill(uint64_t to, uint32_t value, uint32_t width, uint64_t count, uint64_t stream, bool wait);
int sim_wait_value_on(uint64_t stream, uint64_t address, uint32_t value, unsigned flags);
int sim_allocate_on(uint64_t bytes, uint64_t stream, uint64_t* out);
int sim_free_on(uint64_t address, uint64_t stream);
int sim_call_on(uint64_t stream, SimHostFunction function, SimCallback callback, void* data);

/* engine_event.c */
struct SimMark* sim_mark_new(void);
struct SimMark* sim_mark_keep(struct SimMark* mark);
void sim_mark_drop(struct SimMark* mark);
void sim_let_events_go(void);
int sim_event_create(int device, unsigned flags, uint64_t* out);
int sim_event_destroy(uint64_t handle);
int sim_event_find(uint64_t handle, struct SimEvent** out);
int sim_event_record(uint64_t handle, uint64_t stream);
int sim_event_query(uint64_t handle);
int sim_event_await(uint64_t handle);
int sim_event_wait_on(uint64_t stream, uint64_t handle);
int sim_event_elapsed(float* millis, uint64_t start, uint64_t end, unsigned no_timing);

/* engine_table.c: handles that are never used twice. */
enum SimTableKind { SIM_CONTEXTS = 0x43, SIM_EVENTS = 0x45, SIM_STREAMS = 0x53 };
uint64_t sim_table_add(enum SimTableKind kind, void* object);
void* sim_table_get(uint64_t handle, enum SimTableKind kind);
void* sim_table_at(uint64_t index, enum SimTableKind kind, bool* end);
bool sim_table_had(uint64_t handle, enum SimTableKind kind);
void sim_table_remove(uint64_t handle);
void* sim_must(void* memory);

#endif
