package dev.arrowdevice.spi;

import dev.arrowdevice.Device;

/** A queue of work on a device: a CUDA or HIP stream, or a SYCL queue. Queued work runs later and in order. */
public interface DeviceQueue extends AutoCloseable {
    /** The device that runs the work. */
    Device getDevice();

    /** The native handle of the queue, or 0 if there is none. */
    long getHandle();

    /**
     * Waits on the host until all work queued so far is done.
     *
     * @throws dev.arrowdevice.DeviceException if the work has failed, or the call was refused; see
     *     {@link dev.arrowdevice.DeviceException#isWorkFailure()}
     */
    void synchronize();

    /**
     * One more owner of the same queue, which the caller closes. A default or a foreign queue returns itself: it has no
     * owner here.
     *
     * @throws IllegalStateException if the queue was closed
     */
    DeviceQueue share();

    /**
     * Closes this owner. The last one destroys the queue, after the work that is queued so far. Does nothing for a
     * default or a foreign queue. Idempotent.
     */
    @Override
    void close();
}
