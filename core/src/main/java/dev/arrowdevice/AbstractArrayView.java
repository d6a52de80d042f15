package dev.arrowdevice;

import dev.arrowdevice.internal.copying.ArrayCopier;
import dev.arrowdevice.internal.copying.NullCounts;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceReference;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** What an {@link ArrayView} has to do with memory and devices, without a look at the values. */
abstract class AbstractArrayView {
    final Ownership ownership;
    private final ArrayData data;

    AbstractArrayView(Ownership ownership, ArrayData data) {
        this.ownership = ownership;
        this.data = data;
    }

    /** The logical type. */
    public final ArrowType getType() {
        return data.getType();
    }

    /** The number of elements. */
    public final long getLength() {
        return data.getLength();
    }

    /** The device that the memory belongs to. */
    public final Device getDevice() {
        return data.getDevice();
    }

    /** The structure with its buffers. Their memory must not be used after the owner was closed. */
    public final ArrayData getData() {
        return data;
    }

    /** Whether the owner can still be used, that is, was neither closed nor moved. */
    public final boolean isLive() {
        return ownership.state.isLive();
    }

    /** The event that says when the data is there, or null if it is there already. It belongs to the array's memory. */
    public final @Nullable DeviceEvent getReadyEvent() {
        return ownership.state.ready();
    }

    /** One more owner of the same memory, which the caller closes. */
    public final DeviceArray share() {
        return owner("share", data);
    }

    /**
     * An owner of a range of the same memory, which the caller closes.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the array
     */
    public final DeviceArray slice(long offset, long length) {
        return owner("slice", data.slice(offset, length));
    }

    /**
     * A copy of the values on a device, in one block of memory that holds this range and little more. Waits until the
     * values are there. On failure what was allocated is freed.
     *
     * @param target the device, or its runtime
     * @throws IllegalStateException if no runtime is registered for one of the devices
     * @throws dev.arrowdevice.DeviceException if one of the devices fails
     */
    public final DeviceArray copyTo(DeviceReference target) {
        return copied(target, null);
    }

    /**
     * A copy of the values on a device. Its {@link #getReadyEvent} says when the values are there. This array may be
     * closed as soon as this returns: its memory is kept until the copy is done. The copy too may be closed at any time.
     *
     * <p>Does not wait, but for what the host must look at: an event of values that it can read; the lengths of strings
     * and binaries on a foreign device, which only their offsets tell; values on their way between two devices that don't
     * reach each other; and without a device in it the copy is made at once. On failure nothing was copied.
     *
     * @param target the device, or its runtime
     * @param queue a queue of the target; of this array's device if the host can read the target
     * @throws IllegalArgumentException if the queue belongs to another device
     * @throws IllegalStateException if no runtime is registered for one of the devices
     * @throws dev.arrowdevice.DeviceException if one of the devices fails
     */
    public final DeviceArray copyToAsync(DeviceReference target, DeviceQueue queue) {
        return copied(target, queue);
    }

    private DeviceArray copied(DeviceReference target, @Nullable DeviceQueue queue) {
        ReferenceCounted owner = ownership.state.retain(queue == null ? "copyTo" : "copyToAsync");
        try {
            DeviceRuntime runtime = Devices.runtime(target);
            ArrayCopier copier = new ArrayCopier(data, owner, getReadyEvent(), runtime);
            if (queue == null) {
                return copier.copy(null);
            }
            // Another thread may close the queue meanwhile; what is queued by then must still be waited for.
            try (DeviceQueue shared = queue.share()) {
                return copier.copy(shared);
            }
        } finally {
            owner.release();
        }
    }

    /**
     * Waits on the host until the values are there.
     *
     * @throws dev.arrowdevice.DeviceException if the work that makes them has failed
     */
    public final void await() {
        ReferenceCounted owner = ownership.state.retain("await");
        try {
            DeviceEvent ready = getReadyEvent();
            if (ready != null) {
                ready.await();
            }
        } finally {
            owner.release();
        }
    }

    /**
     * Makes work that is queued later wait until the values are there, such as a kernel that reads them; returns at once.
     * The array must live until that work is done: {@link DeviceArray#closeAsync}.
     */
    public final void awaitAsync(DeviceQueue queue) {
        ReferenceCounted owner = ownership.state.retain("awaitAsync");
        try {
            Devices.runtime(queue.getDevice()).waitFor(queue, getReadyEvent());
        } finally {
            owner.release();
        }
    }

    /** The null count, read from the device if it must be; unknown if that has no runtime. */
    final long ownNullCount() {
        if (data.getValidity() == null) {
            return 0;
        }
        ReferenceCounted owner = ownership.state.retain("nullCount");
        try {
            NullCounts.computeOwn(data, owner, getReadyEvent());
            return data.getKnownNullCount();
        } finally {
            owner.release();
        }
    }

    private DeviceArray owner(String operation, ArrayData part) {
        ReferenceCounted owner = ownership.state.retain(operation);
        try {
            return new DeviceArray(part, owner, getReadyEvent());
        } catch (Throwable e) {
            owner.release();
            throw e;
        }
    }
}
