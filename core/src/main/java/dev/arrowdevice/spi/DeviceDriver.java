package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a native driver for one device. Addresses and handles are the driver's own. Sizes are in bytes and above
 * 0. Implementations only check results. Each failure is a {@link DeviceException}; if memory runs out, an
 * {@link dev.arrowdevice.OutOfDeviceMemoryException}. All methods are called on any thread, but never from within a
 * callback, and each makes the device current for itself.
 *
 * <p>Two failures must be told apart in {@link #synchronize}, {@link #await} and {@link #isComplete}. If the work that
 * was asked for has failed, or the device was lost, the exception is one of a
 * {@linkplain DeviceException#isWorkFailure() failure of work}: nothing accesses the work's memory any more, and it is
 * freed. If the call was refused, the exception is not one: the work may not even have begun. Its memory is kept, and
 * the driver is asked again until it answers.
 */
public interface DeviceDriver {
    /** The device. */
    Device device();

    /** The device's name and the driver's version, as text for users. */
    String description();

    /** The amount of memory, or null if the driver does not report it. */
    @Nullable
    MemoryInfo memoryInfo();

    /** Whether the driver has a kind of memory on this device. */
    boolean hasMemory(MemoryKind kind);

    /** Whether the host can read and write a kind of memory at any time. */
    boolean isHostReadable(MemoryKind kind);

    /**
     * Whether the memory at an address is known to be of a kind that the host can read and write at any time. Called if
     * one Arrow device has several kinds of memory.
     */
    default boolean isHostReadable(long address) {
        return false;
    }

    /** Whether queues of this device can read and write memory of another one of the same driver. */
    boolean canAccessPeer(Device other);

    /**
     * The device that an address belongs to, as Arrow names it, or null if it is not memory of this driver.
     *
     * @param presumed the result if the driver does not know
     */
    default @Nullable Device deviceOf(long address, Device presumed) {
        return presumed;
    }

    /**
     * The allocation that contains an address. Null if the driver does not know it, or knows only a part of it, such as
     * for memory that was mapped piece by piece.
     */
    default @Nullable AddressRange allocationOf(long address) {
        return null;
    }

    /** Allocates memory, 64-byte aligned. */
    long allocate(MemoryKind kind, long byteSize);

    /** Frees memory of {@link #allocate}. See {@link #freeWaitsForWork}. */
    void free(MemoryKind kind, long address);

    /**
     * Whether {@link #free} itself waits for work that uses the memory, whoever has queued it. Otherwise memory that foreign code
     * has used is freed after {@link #synchronizeDevice}. By default true.
     *
     * @param kind of the memory
     */
    default boolean freeWaitsForWork(MemoryKind kind) {
        return true;
    }

    /**
     * How many bytes of {@link MemoryKind#HOST} memory are kept for later copies at most. Above 0 where allocating and freeing it
     * takes long; then the system property {@code dev.arrowdevice.staging} names another number. By default 0.
     */
    default long keptStaging() {
        return 0;
    }

    /** Whether memory can be allocated and freed in the order of a queue. */
    boolean hasQueueOrderedMemory();

    /** Allocates device memory in the order of a queue. */
    long allocateAsync(long byteSize, long queue);

    /** Frees memory of {@link #allocateAsync}, in the order of a queue. */
    void freeAsync(long address, long queue);

    /** The handle of the device's default queue, which is never destroyed. */
    long defaultQueue();

    /** Creates a queue that does not wait for any other. */
    long createQueue();

    /** Destroys a queue. Its queued work still runs. */
    void destroyQueue(long queue);

    /** Waits until a queue has done its work. */
    void synchronize(long queue);

    /**
     * Waits until all work of the device is done, also that of queues which others have created, as far as the driver knows
     * them. Called if memory can be freed in the order of a queue, because that waits for no other queue, and if
     * {@link #freeWaitsForWork} is false. {@link #synchronize} describes failures.
     */
    default void synchronizeDevice() {
        synchronize(defaultQueue());
    }

    /**
     * Queues a copy. Source and target may be any memory of the driver, on any device, or any other host memory.
     *
     * @param sourceDevice the device of the source's buffer
     * @param targetDevice the device of the target's buffer
     */
    void copyAsync(Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue);

    /** Creates an event and records it on a queue. */
    long recordEvent(long queue);

    /** Destroys an event. */
    void destroyEvent(long event);

    /** Whether the work before an event is done. Does not block. */
    boolean isComplete(long event);

    /** Blocks the host until an event is complete. */
    void await(long event);

    /** Makes later work of a queue wait for an event, which may be of another device of the same driver. */
    void waitFor(long queue, long event);

    /**
     * Whether {@code sync_event} points to the event's handle, as for {@code CUevent} and {@code hipEvent_t}, or is the
     * handle, as for {@code sycl::event*}.
     */
    boolean isSyncEventPointerToHandle();

    /**
     * Whether {@link #callAfter} can be used, at any time: also while the JVM ends, and although an action is pending for
     * long. The callbacks of CUDA and HIP can't. Otherwise a thread asks which events are complete.
     */
    default boolean hasCallbacks() {
        return false;
    }

    /**
     * Whether {@link #isComplete} becomes true for an event although nobody calls {@link #await}. Otherwise, and without
     * callbacks, a thread waits for each pending event.
     */
    default boolean completesUnwatched() {
        return true;
    }

    /**
     * Calls an action on a thread of the driver, once, when the work queued so far is done or has failed. If this
     * throws, the action is not called. What waits for an action that is never called is never released, and the
     * device stays open; nothing else waits for it.
     */
    default void callAfter(long queue, Runnable action) {
        throw new UnsupportedOperationException("callAfter");
    }

    /**
     * Whether a call failed because the thread is within a callback of the driver, where the driver can't be called.
     * Memory may be released there by code that does not know that. It is then freed on another thread.
     */
    default boolean isCallbackRefusal(DeviceException failure) {
        return false;
    }

    /** Closes the driver's device, after everything of it was released. */
    void close();
}
