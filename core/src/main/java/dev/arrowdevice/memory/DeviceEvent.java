package dev.arrowdevice.memory;

/** A point in the work of a queue that can be waited for. */
public interface DeviceEvent extends AutoCloseable {
    /** Whether the work before the event is done. Does not block. */
    boolean isComplete();

    /** Waits on the host until the work before the event is done. */
    void await();

    /**
     * Runs an action once the work before the event is done: on the calling thread if it is done already, else on a
     * thread of the runtime. The action must not throw and must not call the device.
     */
    void whenComplete(Runnable action);

    /**
     * What {@code ArrowDeviceArray.sync_event} points to for this kind of device, or 0 where no synchronisation is
     * needed. Valid until {@link #close()}.
     */
    long syncEvent();

    /** Destroys the event; idempotent. */
    @Override
    void close();
}
