package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;

/**
 * A point in the work of a queue that can be waited for. All methods may be called from any thread; after
 * {@link #close()} they throw {@link IllegalStateException}. If the work before the event has failed they throw
 * {@link DeviceException}.
 */
public interface DeviceEvent extends AutoCloseable {
    /** The device whose runtime understands the event. */
    Device getDevice();

    /** Whether the work before the event is done. Does not block. */
    boolean isComplete();

    /** Waits on the host until the work before the event is done. */
    void await();

    /**
     * Runs an action, once, when the work before the event is done: on the calling thread if it is done already, else on
     * a thread of the runtime. The action must not throw and must not call the device: it hands on what is to be done. The
     * event may be closed before it runs. If this throws, the action won't run.
     */
    void whenComplete(Runnable action);

    /**
     * What {@code ArrowDeviceArray.sync_event} points to for this kind of device, or 0 where no synchronisation is
     * needed. Valid until {@link #close()}.
     */
    long getSyncEvent();

    /** Destroys the event, the work before it goes on; does nothing for a foreign event. Idempotent. */
    @Override
    void close();
}
