package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a native driver for one device. Addresses and handles are the driver's own, sizes are in bytes and above 0.
 * Implementations check nothing but results: each failure is a {@link DeviceException}, for want of memory an
 * {@link dev.arrowdevice.OutOfDeviceMemoryException}. All methods are called from any thread, never from within a
 * callback; each makes the device current for itself.
 */
public interface DeviceDriver {
    /** The device. */
    Device device();

    /** The device's name and the driver's version, for people. */
    String description();

    /** How much memory there is, or null if the driver does not tell. */
    @Nullable
    MemoryInfo memoryInfo();

    /** Whether the driver has a kind of memory on this device. */
    boolean hasMemory(MemoryKind kind);

    /** Whether the host can read and write a kind of memory at any time. */
    boolean isHostReadable(MemoryKind kind);

    /**
     * Whether an address is known to be of a kind of memory that the host can read and write at any time. Asked where memory
     * of several kinds goes by the name of one device.
     */
    default boolean isHostReadable(long address) {
        return false;
    }

    /** Whether queues of this device can read and write memory of another one of the same driver. */
    boolean canAccessPeer(Device other);

    /**
     * The device that an address belongs to, as Arrow names it, or null if it is no memory of this driver.
     *
     * @param presumed the answer of a driver that can't tell
     */
    default @Nullable Device deviceOf(long address, Device presumed) {
        return presumed;
    }

    /**
     * The allocation that an address lies in; null if the driver can't tell, or knows only a part of what the address may
     * lead to: memory that was mapped piece by piece.
     */
    default @Nullable AddressRange allocationOf(long address) {
        return null;
    }

    /** Allocates memory, 64-byte aligned. */
    long allocate(MemoryKind kind, long byteSize);

    /** Frees what {@link #allocate} gave. */
    void free(MemoryKind kind, long address);

    /** Whether memory can be allocated and freed in the order of a queue. */
    boolean hasQueueOrderedMemory();

    /** Allocates device memory in the order of a queue. */
    long allocateAsync(long byteSize, long queue);

    /** Frees, in the order of a queue, what {@link #allocateAsync} gave. */
    void freeAsync(long address, long queue);

    /** The handle of the device's default queue, which is never destroyed. */
    long defaultQueue();

    /** Creates a queue that waits for no other. */
    long createQueue();

    /** Destroys a queue; what is queued there is still done. */
    void destroyQueue(long queue);

    /** Waits until a queue has done its work. */
    void synchronize(long queue);

    /**
     * Queues a copy. Each side is memory of the driver, of any kind and device, or any other memory of the host.
     *
     * @param sourceDevice where the source is, as its buffer says
     * @param targetDevice where the target is, as its buffer says
     */
    void copyAsync(Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue);

    /** Creates an event and records it on a queue. */
    long recordEvent(long queue);

    /** Destroys an event. */
    void destroyEvent(long event);

    /** Whether the work before an event is done; does not block. */
    boolean isComplete(long event);

    /** Waits on the host for an event. */
    void await(long event);

    /** Makes work queued later on a queue wait for an event, which may be of another device of the same driver. */
    void waitFor(long queue, long event);

    /**
     * Whether {@code sync_event} points to the event's handle, as for {@code CUevent} and {@code hipEvent_t}, or is the
     * handle, as for {@code sycl::event*}.
     */
    boolean isSyncEventPointerToHandle();

    /** Whether {@link #callAfter} can be used; otherwise threads wait. */
    boolean hasCallbacks();

    /**
     * Calls an action from a thread of the driver when a queue has done its work so far, also when that has failed. If this
     * throws the action won't be called.
     */
    void callAfter(long queue, Runnable action);

    /**
     * Whether a call failed because the thread is within a callback of the driver, where it can't be called: memory may be
     * released there by somebody who does not know. It is then given back on another thread.
     */
    default boolean isCallbackRefusal(DeviceException failure) {
        return false;
    }

    /** Gives the device back, when nothing of it is used any more. */
    void close();
}
