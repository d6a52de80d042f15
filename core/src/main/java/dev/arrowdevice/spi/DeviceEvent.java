package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;

/**
 * A point in the work of a queue. Hosts and queues can wait until the work before it is done. All methods may be called
 * from any thread. After {@link #close()} they throw {@link IllegalStateException}. If the work before the event has
 * failed, they throw a {@link DeviceException} that is a {@linkplain DeviceException#isWorkFailure() failure of work}. If
 * the device refuses a call, they throw one that is not: nothing is known about the work.
 */
public interface DeviceEvent extends AutoCloseable {
    /** The device whose runtime understands the event. */
    Device getDevice();

    /** Whether the work before the event is done. Does not block. */
    boolean isComplete();

    /** Waits on the host until the work before the event is done. */
    void await();

    /**
     * Runs an action once, when the work before the event is done: on the calling thread if it is done already,
     * otherwise on a thread of the runtime. The action must not throw, must not call the device, and must not wait, because
     * other actions wait for it; it passes such work to another thread. The event may be closed before the action runs. If this method throws, the action does
     * not run. As long as the device refuses to say whether the work is over, the action does not run either.
     */
    void whenComplete(Runnable action);

    /**
     * The value of {@code ArrowDeviceArray.sync_event} for this kind of device, or 0 if the device needs no
     * synchronisation. Valid until {@link #close()}.
     */
    long getSyncEvent();

    /** Destroys the event. The work before it continues. Does nothing for a foreign event. Idempotent. */
    @Override
    void close();
}
