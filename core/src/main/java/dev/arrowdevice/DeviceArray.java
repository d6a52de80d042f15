package dev.arrowdevice;

import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.operations.Operations;
import dev.arrowdevice.internal.owners.OwnerAccess;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An owner of an array on a device. It has one reference to the memory, which other owners may share. Closing releases
 * the reference; a move passes it on:
 *
 * <pre>
 *            close()
 *   LIVE ───────────────► RELEASED      closing again does nothing
 *    │
 *    │ exportTo, RecordBatch.of, …      on failure it stays LIVE
 *    ▼
 *   MOVED                               closing does nothing
 * </pre>
 *
 * After that, what describes the array can still be asked: type, length, device, {@link #isLive} and {@link #toString}.
 * Every use of its memory throws {@link IllegalStateException}, whose message names the state and the operation.
 * Owners may be used and closed on any thread.
 */
public final class DeviceArray extends ArrayView implements AutoCloseable {
    static {
        OwnerAccess.provide(new Access());
    }

    DeviceArray(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        super(new Ownership(owner, ready, data), data);
    }

    /**
     * The elements of arrays of one type, one after the other, as a new array, which the caller closes. The arrays
     * remain the caller's. The result of dictionary arrays has one dictionary: the values of the first array's, then those that the others
     * add. The bytes of string and binary views are shared with the arrays, and so is a dictionary that all of them share; the
     * rest is copied. The result is on the CPU.
     *
     * @throws IllegalArgumentException if there is no array; if types differ; or if the result is larger than offsets,
     *     run ends or indices of the type can count
     * @throws UnreadableDeviceException if the host can't read one of the arrays
     */
    public static DeviceArray concat(List<? extends ArrayView> arrays) {
        return Operations.concat(arrays);
    }

    /**
     * Moves several arrays at once: all or none. The receiver gets their structures and their references.
     *
     * @throws IllegalStateException if one of them was closed or moved, or is being read or borrowed
     */
    static <R> R moveAll(
            Verb verb,
            List<DeviceArray> arrays,
            BiFunction<? super List<ArrayData>, ? super ReferenceCounted, ? extends R> receiver) {
        List<ArrayData> data = new ArrayList<>(arrays.size());
        List<ReferenceCounted> owners = new ArrayList<>(arrays.size());
        boolean moved = false;
        try {
            for (DeviceArray array : arrays) {
                owners.add(array.ownership.state.beginMove(verb));
                data.add(array.getData());
            }
            R result = receiver.apply(data, ReferenceCounted.all(owners.toArray(new ReferenceCounted[0])));
            moved = true;
            return result;
        } finally {
            for (int i = 0; i < owners.size(); i++) {
                arrays.get(i).ownership.state.endMove(moved);
            }
        }
    }

    /** Moves the memory to another array, which the caller closes. */
    DeviceArray move(Verb verb) {
        ReferenceCounted moving = ownership.state.beginMove(verb);
        boolean moved = false;
        try {
            DeviceArray array = new DeviceArray(getData(), moving, getReadyEvent());
            moved = true;
            return array;
        } finally {
            ownership.state.endMove(moved);
        }
    }

    /**
     * Closes the array, and releases the memory when the work that is queued so far on a queue is done. Returns at
     * once. Copies that this SDK queues don't need it: {@link #close} is enough for them. Does nothing after a close or
     * a move. If this throws, the array is still live.
     *
     * @throws IllegalStateException if the queue was closed, or no runtime is registered for its device
     * @throws dev.arrowdevice.DeviceException if the device fails
     */
    public void closeAsync(DeviceQueue queue) {
        if (isLive()) {
            DeviceEvent done = Devices.runtime(queue.getDevice()).record(queue);
            ReferenceCounted kept;
            try {
                kept = ownership.state.retain("closeAsync");
            } catch (Throwable e) {
                done.close();
                throw e;
            }
            ownership.state.close();
            DeferredRelease.after(done, kept);
        }
    }

    /** Releases the reference to the memory. Idempotent, never throws. Does nothing after a move. */
    @Override
    public void close() {
        ownership.state.close();
    }

    private static final class Access extends OwnerAccess {
        @Override
        protected Ownership.State state(ArrayView view) {
            return view.ownership.state;
        }

        @Override
        protected DeviceArray struct(RecordBatch batch) {
            return batch.struct();
        }

        @Override
        protected DeviceArray array(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
            return new DeviceArray(data, owner, ready);
        }

        @Override
        protected RecordBatch batch(Schema schema, DeviceArray struct) {
            return new RecordBatch(schema, struct);
        }

        @Override
        protected DeviceArrayStream move(DeviceArrayStream stream, Verb verb) {
            return stream.move(verb);
        }

        @Override
        protected @Nullable DeviceArray peek(DeviceArrayStream stream) {
            return stream.peek();
        }
    }
}
