package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.internal.memory.DeferredRelease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocates and copies memory of one device, and orders work with queues and events. There is one implementation per
 * kind of device, and one instance per device. {@linkplain Devices#register Register} it, so that arrays on the device
 * can be read and copied. The testkit has the tests that each implementation passes.
 *
 * <p>Sizes and offsets are in bytes. All methods may be called from any thread except that of a
 * {@linkplain DeviceEvent#whenComplete callback}. A method that fails throws {@link IllegalArgumentException} for
 * arguments that can be checked, {@link IllegalStateException} if an object was closed, and otherwise
 * {@link DeviceException} with the operation, the code and the text of the device's error. Nothing has been allocated
 * then. If queued work fails, a later call that waits for it throws a {@linkplain DeviceException#isWorkFailure() failure
 * of work}.
 */
public interface DeviceRuntime extends DeviceReference {
    /** The device. */
    @Override
    Device getDevice();

    /** The device's name and the version of its driver, as text for users. */
    String getDescription();

    /**
     * Whether the host can read and write all memory of this device, whoever allocated it, at the addresses of its
     * buffers.
     */
    boolean isHostReadable();

    /**
     * Whether the host can read and write memory of this device at an address. For SYCL, one Arrow device has several
     * kinds of memory, which differ only by address. By default this returns {@link #isHostReadable()}.
     *
     * @param address the address of any byte
     */
    default boolean isHostReadable(long address) {
        return isHostReadable();
    }

    /**
     * Whether the host can read and write memory of {@link #allocate}. By default this returns
     * {@link #isHostReadable()}.
     */
    default boolean allocatesHostReadable() {
        return isHostReadable();
    }

    /**
     * Whether the queues of this device can copy from and to memory of another device. Its kernels may lack access to
     * memory that the other device has allocated in the order of a queue.
     */
    boolean canAccess(Device other);

    /**
     * The device that an address belongs to, as far as the driver knows: this device, another one of its kind, or null
     * if it is not memory of theirs. If the driver does not know, this device.
     */
    default @Nullable Device deviceOf(long address) {
        return getDevice();
    }

    /**
     * The allocation that contains an address, if the driver knows it. Null if it does not, and for an address outside
     * its memory. Memory that was mapped piece by piece, without gaps, may count as one allocation.
     *
     * @param address the address of any byte
     */
    default @Nullable AddressRange allocationOf(long address) {
        return null;
    }

    /** The amount of memory of the device, or null if the driver does not report it. */
    @Nullable
    MemoryInfo getMemoryInfo();

    /**
     * Allocates memory of the device, at least 64 bytes, 64-byte aligned, with undefined content. The caller has the
     * one reference to the buffer's owner. Releasing it frees the memory.
     *
     * @throws OutOfDeviceMemoryException if the device has no room; on the CPU an {@link OutOfMemoryError}
     */
    DeviceBuffer allocate(long byteSize);

    /**
     * Allocates memory in the order of a queue: work that is queued there after this call may use it. Other queues, and
     * the host, must wait for an event that is recorded on this queue after the call. Releasing the owner frees the
     * memory after the work that is queued on this queue by then. Otherwise the contract is that of {@link #allocate}.
     * A device without such allocations allocates at once, and frees when that work is done.
     */
    DeviceBuffer allocateAsync(long byteSize, DeviceQueue queue);

    /**
     * Allocates the host memory that this device copies from and to fastest: pinned memory for a GPU. The contract is
     * that of {@link #allocate}. The host can read and write the memory.
     */
    DeviceBuffer allocateStaging(long byteSize);

    /**
     * Allocates memory like that of {@link #allocateStaging} for copies of this library. The owner is released when the work that
     * uses the memory is over, and not before: the memory may be kept then, and be used by the next copy at once. By default this
     * is {@link #allocateStaging}.
     */
    default DeviceBuffer allocateForCopy(long byteSize) {
        return allocateStaging(byteSize);
    }

    /** The device's own queue, which is used if no other is named. Closing it does nothing. */
    DeviceQueue getDefaultQueue();

    /** Creates a queue, independent of all others, which the caller closes. */
    DeviceQueue createQueue();

    /**
     * Imports a foreign queue, for instance a {@code CUstream}. The queue must live as long as it is used here. Closing
     * the result does not destroy it.
     *
     * @param handle the native handle of the queue
     */
    DeviceQueue importQueue(long handle);

    /**
     * Queues a copy of bytes between two buffers of this device, between this device and host-readable memory, or
     * between this device and one that it {@linkplain #canAccess can access}. Returns before the copy is done, except
     * for two cases in which it may return after it: a copy between two memories of the host, pinned and managed memory
     * included, and one from the device to memory of the host that is not pinned. Until an event that is recorded on the
     * queue after this call is complete, both buffers must be kept alive, and host memory must not change.
     *
     * @throws IndexOutOfBoundsException if a range is not within its buffer
     * @throws IllegalArgumentException if neither buffer belongs to this device, or this device can't access the other
     *     buffer's device
     */
    void copyAsync(
            DeviceBuffer source,
            long sourceOffset,
            DeviceBuffer target,
            long targetOffset,
            long byteSize,
            DeviceQueue queue);

    /**
     * Releases a reference to memory of this device which foreign code has used, such as the consumer of an export. The
     * consumer's own queues may still read the memory then. It is freed when nothing does, on another thread, so this
     * method does not wait and may be called in a callback of the device's driver. Never throws.
     *
     * @param owner the reference moves to this method
     */
    default void releaseAfterForeignUse(ReferenceCounted owner) {
        DeferredRelease.execute(owner::release);
    }

    /** Copies with {@link #copyAsync} on the default queue, and waits until the copy is done. */
    default void copy(DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long byteSize) {
        DeviceQueue queue = getDefaultQueue();
        copyAsync(source, sourceOffset, target, targetOffset, byteSize, queue);
        queue.synchronize();
    }

    /**
     * Creates an event and records it on a queue. The event is complete when all work that was queued before is done.
     * The caller closes it.
     */
    DeviceEvent record(DeviceQueue queue);

    /**
     * Makes later work wait for an event, which may be of another device.
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
     * Imports the {@code sync_event} of a foreign array. The event belongs to the array's producer: closing the result
     * does not destroy it, and it must not be used after the array was released.
     *
     * @param syncEvent the value of {@code ArrowDeviceArray.sync_event}, not 0
     */
    DeviceEvent importEvent(long syncEvent);

    /** One event that is complete when all of several are. The caller closes it; the others may be closed at once. */
    default DeviceEvent join(List<? extends DeviceEvent> events) {
        try (DeviceQueue queue = createQueue()) {
            for (DeviceEvent event : events) {
                waitFor(queue, event);
            }
            return record(queue);
        }
    }
}
