package dev.arrowdevice.array;

import dev.arrowdevice.memory.DeferredRelease;
import dev.arrowdevice.memory.DeviceEvent;
import dev.arrowdevice.memory.DeviceQueue;
import dev.arrowdevice.memory.Devices;
import dev.arrowdevice.memory.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An owner of an array on a device. It holds one reference to the memory, which other owners may share, and gives it
 * back when it is closed, or hands it on when it is moved:
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
 * Any other use after that throws {@link IllegalStateException}, which names the state and the operation. Owners may be
 * used and closed from any thread.
 */
public final class DeviceArray extends ArrayView implements AutoCloseable {
    private DeviceArray(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        super(new Handle(owner, ready), data);
    }

    /**
     * Makes an owner of memory that is there.
     *
     * @param data where the values are; the caller vouches for it
     * @param owner what keeps all buffers alive; one reference to it goes over to the result
     */
    public static DeviceArray of(ArrayData data, ReferenceCounted owner) {
        return of(data, owner, null);
    }

    /**
     * Makes an owner of memory that will hold its values once an event completes.
     *
     * @param owner what keeps all buffers and the event alive; one reference to it goes over to the result
     * @param ready the event, or null if the values are there
     */
    public static DeviceArray of(ArrayData data, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        return new DeviceArray(data, owner, ready);
    }

    /**
     * Begins to move the memory out.
     *
     * @param operation how the user called what moves, for the messages
     * @throws IllegalStateException if the array was closed or moved, or is being read or borrowed
     */
    public ArrayMove beginMove(String operation) {
        return new ArrayMove(operation, handle.state, data());
    }

    /**
     * Moves the memory out: the receiver gets the structure and, if it returns, the reference that this array held. If
     * it throws, the array stays as it was. For those who build on arrays; users move by exporting.
     *
     * @param operation how the user called what moves, for the messages
     * @throws IllegalStateException if the array was closed or moved, or is being read or borrowed
     */
    public <R> R move(String operation, BiFunction<? super ArrayData, ? super ReferenceCounted, ? extends R> receiver) {
        return handle.state.move(operation, owner -> receiver.apply(data(), owner));
    }

    /**
     * Moves several arrays at once: all or none.
     *
     * @see #move
     */
    public static <R> R moveAll(
            String operation,
            List<DeviceArray> arrays,
            BiFunction<? super List<ArrayData>, ? super ReferenceCounted, ? extends R> receiver) {
        List<ArrayData> data = new ArrayList<>(arrays.size());
        List<ReferenceCounted> owners = new ArrayList<>(arrays.size());
        boolean moved = false;
        try {
            for (DeviceArray array : arrays) {
                owners.add(array.handle.state.beginMove(operation));
                data.add(array.data());
            }
            R result = receiver.apply(data, ReferenceCounted.all(owners.toArray(new ReferenceCounted[0])));
            moved = true;
            return result;
        } finally {
            for (int i = 0; i < owners.size(); i++) {
                arrays.get(i).handle.state.endMove(moved);
            }
        }
    }

    /**
     * Closes an array that was lent for a limited time.
     *
     * @param advice what the exception of a later use says: that the time is over, and what to write instead
     */
    public void expire(String advice) {
        handle.state.expire(advice);
    }

    /**
     * Closes the array and gives the memory back once the work that is queued so far on a queue is done; returns at once.
     * Of copies that this SDK queues there is no need for this, {@link #close} is enough. Does nothing after a close or a
     * move; if it throws, the array is open still.
     *
     * @throws IllegalStateException if the queue was closed, or no runtime is registered for its device
     * @throws dev.arrowdevice.memory.DeviceException if the device fails
     */
    public void closeAsync(DeviceQueue queue) {
        if (isLive()) {
            DeviceEvent done = Devices.runtime(queue.device()).record(queue);
            ReferenceCounted kept;
            try {
                kept = handle.state.retain("closeAsync");
            } catch (Throwable e) {
                done.close();
                throw e;
            }
            handle.state.close();
            DeferredRelease.after(done, kept);
        }
    }

    /** Gives the reference to the memory back. Idempotent, never throws; does nothing after a move. */
    @Override
    public void close() {
        handle.state.close();
    }
}
