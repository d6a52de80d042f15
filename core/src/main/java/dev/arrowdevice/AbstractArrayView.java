package dev.arrowdevice;

import dev.arrowdevice.internal.copying.ArrayCopier;
import dev.arrowdevice.internal.copying.NullCounts;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceReference;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** The part of {@link ArrayView} that concerns memory and devices; it reads no values. */
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

    /**
     * The event that completes when the values are there, or null if they are there already. It belongs to the array's
     * memory.
     */
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
     * Copies the values to a device, into one allocation that holds little more than this range, and returns the copy,
     * which the caller closes. Waits until the values are there. On failure, everything that was allocated is freed.
     *
     * @param target the device, or its runtime
     * @throws IllegalStateException if no runtime is registered for one of the devices
     * @throws dev.arrowdevice.DeviceException if one of the devices fails
     */
    public final DeviceArray copyTo(DeviceReference target) {
        return copied(target, null);
    }

    /**
     * Copies the values to a device in the order of a queue, and returns the copy, which the caller closes. The copy's
     * {@link #getReadyEvent} completes when the values are there. The caller may close this array as soon as this
     * returns: its memory is kept until the copy is done. The caller may close the copy at any time too.
     *
     * <p>This waits only for what the host itself must read: the event of values that the host can read; the offsets of
     * strings and binaries on a foreign device, because only they say how long the data is; and values on their way
     * between two devices that can't access each other. If no device takes part, the copy is made at once. On failure
     * nothing was copied.
     *
     * @param target the device, or its runtime
     * @param queue a queue of the target; if the host can read the target, a queue of this array's device
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
            // Another thread may close the queue meanwhile, but the work that is queued by then must still be awaited.
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
     * Makes work that is queued later, such as a kernel that reads the values, wait until the values are there. Returns
     * at once. The array must live until that work is done: {@link DeviceArray#closeAsync}.
     */
    public final void awaitAsync(DeviceQueue queue) {
        ReferenceCounted owner = ownership.state.retain("awaitAsync");
        try {
            Devices.runtime(queue.getDevice()).waitFor(queue, getReadyEvent());
        } finally {
            owner.release();
        }
    }

    /** The null count. It is read from the device if necessary, and unknown if the device has no runtime. */
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
