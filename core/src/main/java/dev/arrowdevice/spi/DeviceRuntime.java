package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one device can do: allocate, copy, and order work by queues and events. One implementation per kind of device;
 * one instance per device, to be {@linkplain Devices#register registered} so that arrays on it can be read and copied.
 * The testkit has the suite of tests that each implementation passes.
 *
 * <p>Sizes and offsets are in bytes. All methods may be called from any thread but that of a
 * {@linkplain DeviceEvent#whenComplete callback}. A method that fails throws {@link IllegalArgumentException} for
 * arguments that can be checked, {@link IllegalStateException} for what was closed, else {@link DeviceException} with the
 * operation, the code and the text of the device's own error; nothing has been allocated then. The failure of work that
 * was queued is thrown by a later call that waits for it.
 */
public interface DeviceRuntime extends DeviceReference {
    /** The device. */
    @Override
    Device getDevice();

    /** What the device is, for people: its name and the version of its driver. */
    String getDescription();

    /**
     * Whether the host can read and write all memory that goes by the name of this device, whoever allocated it, at the
     * addresses of its buffers.
     */
    boolean isHostReadable();

    /**
     * Whether the host can read and write memory of this device at an address. SYCL has several kinds of memory for one
     * device of Arrow's, which only their addresses tell apart; by default the answer is {@link #isHostReadable()}.
     *
     * @param address of any byte
     */
    default boolean isHostReadable(long address) {
        return isHostReadable();
    }

    /**
     * Whether the host can read and write what {@link #allocate} gives; by default the answer is {@link #isHostReadable()}.
     */
    default boolean allocatesHostReadable() {
        return isHostReadable();
    }

    /** Whether the queues of this device can read and write memory of another one directly. */
    boolean canAccess(Device other);

    /**
     * The device that an address belongs to, as far as the driver knows: this one, another one of its kind, or null if it
     * is no memory of theirs. Where the driver can't tell, this device.
     */
    default @Nullable Device deviceOf(long address) {
        return getDevice();
    }

    /**
     * The allocation that an address lies in, where the driver knows it; null where it can't tell, and for an address that is
     * none of its memory's. Memory that was mapped piece by piece without gaps is not told apart.
     *
     * @param address of any byte
     */
    default @Nullable AddressRange allocationOf(long address) {
        return null;
    }

    /** How much memory the device has, or null if it does not tell. */
    @Nullable
    MemoryInfo getMemoryInfo();

    /**
     * Allocates memory of the device: 64-byte aligned, at least one block of 64 bytes, of undefined content. The caller
     * owns the one reference to the buffer's owner; releasing it frees the memory.
     *
     * @throws OutOfDeviceMemoryException if the device has no room; on the CPU an {@link OutOfMemoryError}
     */
    DeviceBuffer allocate(long byteSize);

    /**
     * Allocates memory in the order of a queue: work that is queued there from now on may use it. Other queues must wait
     * for an event that is recorded on this one after the call, and so must the host. Releasing the owner frees the memory
     * after the work that is queued by then on this queue. Same contract as {@link #allocate} otherwise; a device without
     * such allocations allocates at once, and frees when that work is done.
     */
    DeviceBuffer allocateAsync(long byteSize, DeviceQueue queue);

    /**
     * Allocates host memory from and to which this device copies fastest (pinned memory for a GPU). Same contract as
     * {@link #allocate}; the host can read and write it.
     */
    DeviceBuffer allocateStaging(long byteSize);

    /** The queue that the device has from the beginning and that is used where none is named. Closing it does nothing. */
    DeviceQueue getDefaultQueue();

    /** Creates a queue, independent of all others, which the caller closes. */
    DeviceQueue createQueue();

    /**
     * A queue of somebody else, for instance a {@code CUstream}. It must live as long as it is used here; closing the
     * result does not destroy it.
     *
     * @param handle the native handle of the queue
     */
    DeviceQueue importQueue(long handle);

    /**
     * Copies bytes on a queue: between two buffers of this device, between this device and memory that the host can read,
     * in either direction, or between this device and one that it {@linkplain #canAccess can access}. Returns before the
     * copy is done; both buffers must be kept alive until an event recorded on the queue after this call has completed,
     * and memory of the host must not change before.
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
        DeviceQueue queue = getDefaultQueue();
        copyAsync(source, sourceOffset, target, targetOffset, byteSize, queue);
        queue.synchronize();
    }

    /** Creates an event and records it on a queue: it completes when all work queued before is done. The caller closes it. */
    DeviceEvent record(DeviceQueue queue);

    /**
     * Orders work after an event, which may be of another device.
     *
     * <pre>
     *   event | queue | effect
     *   null  | any   | none: what has no event is done
     *   given | null  | waits on the host
     *   given | given | work queued later waits for the event; returns at once (for an event that the device can't
     *         |       | wait for, such as one of another kind of device, it waits on the host instead)
     * </pre>
     *
     * <p>The event may be closed as soon as this returns.
     */
    void waitFor(@Nullable DeviceQueue queue, @Nullable DeviceEvent event);

    /**
     * The event behind the {@code sync_event} of an imported array. It belongs to the producer of the array: closing the
     * result does not destroy it, and it must not be used after the array was released.
     *
     * @param syncEvent the value of {@code ArrowDeviceArray.sync_event}, not 0
     */
    DeviceEvent importEvent(long syncEvent);

    /** One event that completes when all of several have. The caller closes it; the others may be closed at once. */
    default DeviceEvent join(List<? extends DeviceEvent> events) {
        try (DeviceQueue queue = createQueue()) {
            for (DeviceEvent event : events) {
                waitFor(queue, event);
            }
            return record(queue);
        }
    }
}
