package dev.arrowdevice.memory;

/**
 * What one device can do: allocate, copy, and order work by queues and events. One implementation per kind of device;
 * one instance per device, to be {@linkplain Devices#register registered} so that arrays on it can be read and copied.
 *
 * <p>Sizes and offsets are in bytes. All methods may be called from any thread. A method that fails throws
 * {@link IllegalArgumentException} for arguments that can be checked, else {@link IllegalStateException} with the
 * operation, the code and the text of the device's own error; nothing has been allocated then.
 */
public interface DeviceRuntime {
    /** The device. */
    Device device();

    /** Whether the host can read and write this device's memory at the addresses of its buffers. */
    boolean isHostReadable();

    /**
     * Allocates memory of the device: 64-byte aligned and padded with zeros to a multiple of 64; the content is
     * undefined. The caller owns the one reference to the buffer's owner.
     *
     * @throws OutOfMemoryError if the device has no room
     */
    DeviceBuffer allocate(long byteSize);

    /**
     * Allocates host memory from and to which this device copies fastest (pinned memory for a GPU). Same contract as
     * {@link #allocate}; the host can read and write it.
     */
    DeviceBuffer allocateStaging(long byteSize);

    /** The queue that is used where none is named. Owned by the runtime. */
    DeviceQueue defaultQueue();

    /** Creates a queue, which the caller closes. */
    DeviceQueue createQueue();

    /**
     * Copies bytes on a queue: between two buffers of this device, or between this device and memory that the host can
     * read, in either direction. Returns before the copy is done; both buffers must be kept alive until an event
     * recorded on the queue after this call has completed.
     *
     * @throws IndexOutOfBoundsException if a range lies outside its buffer
     * @throws IllegalArgumentException if neither buffer belongs to this device, or the other one to a device that this
     *     one can't reach
     */
    void copyAsync(
            DeviceBuffer source,
            long sourceOffset,
            DeviceBuffer target,
            long targetOffset,
            long byteSize,
            DeviceQueue queue);

    /** {@link #copyAsync} on the default queue, and waits until the copy is done. */
    default void copy(DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long byteSize) {
        DeviceQueue queue = defaultQueue();
        copyAsync(source, sourceOffset, target, targetOffset, byteSize, queue);
        queue.synchronize();
    }

    /**
     * Records an event on a queue: it completes when all work queued before has been done. The caller closes it.
     */
    DeviceEvent record(DeviceQueue queue);

    /** Makes all work queued later on the queue wait for the event. Returns at once. */
    void waitFor(DeviceQueue queue, DeviceEvent event);

    /**
     * The event behind the {@code sync_event} of an imported array. It belongs to the producer of the array: closing the
     * result does not destroy it, and it must not be used after the array was released.
     *
     * @param syncEvent the value of {@code ArrowDeviceArray.sync_event}, not 0
     */
    DeviceEvent importEvent(long syncEvent);
}
