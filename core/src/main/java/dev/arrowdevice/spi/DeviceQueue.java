package dev.arrowdevice.spi;

import dev.arrowdevice.Device;

/** A queue of work on a device (a CUDA or HIP stream, a SYCL queue): what is queued runs later and in order. */
public interface DeviceQueue extends AutoCloseable {
    /** The device that runs the work. */
    Device getDevice();

    /** The native handle of the queue, 0 where there is none. */
    long getHandle();

    /** Waits on the host until all work queued so far is done. */
    void synchronize();

    /**
     * One more owner of the same queue, which the caller closes. A default or a foreign queue has no owner here and gives
     * itself.
     *
     * @throws IllegalStateException if the queue was closed
     */
    DeviceQueue share();

    /**
     * Destroys the queue, with its last owner, after the work queued so far; does nothing for a default or a foreign queue.
     * Idempotent.
     */
    @Override
    void close();
}
