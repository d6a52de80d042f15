package dev.arrowdevice.testkit.device;

/**
 * A call of a simulated device, or work that one of its queues does later. Each can be made to fail, and each is
 * traced.
 */
public enum Operation {
    /** A call that asks how much memory there is. */
    MEMORY_INFO,
    /** A call that allocates device memory. */
    ALLOCATE,
    /** A call that allocates staging memory of the host. */
    ALLOCATE_STAGING,
    /** A call that frees memory of either kind. The memory is freed even if the call fails. */
    FREE,
    /** A call that allocates device memory in the order of a queue. */
    ALLOCATE_ASYNC,
    /** A call that frees device memory in the order of a queue. The memory is freed even if the call fails. */
    FREE_ASYNC,
    /** A call that creates a queue. */
    CREATE_QUEUE,
    /** A call that destroys a queue. The queue is destroyed even if the call fails. */
    DESTROY_QUEUE,
    /** A call that waits for a queue. */
    SYNCHRONIZE,
    /** A call that queues a copy. */
    COPY_ASYNC,
    /** A call that queues a kernel. */
    LAUNCH,
    /** A call that records an event. */
    RECORD_EVENT,
    /** A call that destroys an event. The event is destroyed even if the call fails. */
    DESTROY_EVENT,
    /** A call that asks whether an event is complete. */
    IS_COMPLETE,
    /** A call that waits on the host for an event. */
    AWAIT,
    /** A call that makes a queue wait for an event. */
    WAIT_FOR,
    /** A call that queues a callback. */
    CALL_AFTER,
    /**
     * The call that closes the device, when nothing of it is used any more. The device is closed even if the call
     * fails.
     */
    CLOSE,
    /** {@link SimulatedDevice#pause}. Can't be made to fail. */
    PAUSE,

    /** The work of a queue: bytes are copied. */
    COPY(true),
    /** The work of a queue: a kernel runs. */
    KERNEL(true),
    /** The work of a queue: it waits for an event. Never fails by itself. */
    WAIT(true),
    /** The work of a queue: an event completes. Never fails by itself. */
    EVENT(true),
    /** The work of a queue: a callback runs. Never fails by itself. */
    CALLBACK(true),
    /** The work of a queue: memory that was allocated in its order may be used. Never fails by itself. */
    MEMORY_READY(true),
    /** The work of a queue: memory is freed in its order. Never fails by itself. */
    MEMORY_FREED(true);

    private final boolean work;

    Operation() {
        this(false);
    }

    Operation(boolean work) {
        this.work = work;
    }

    /** Whether this is work that a queue does later. Otherwise it is a call, which is done when it returns. */
    public boolean isWork() {
        return work;
    }
}
