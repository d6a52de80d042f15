package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.internal.owners.Ownership;

/**
 * An array that is being moved. Nobody else can read or move it meanwhile. {@link #complete()} passes its memory to the
 * receiver. Without it, {@link #close()} leaves the array as it was.
 *
 * <p>Not for concurrent use. The method that begins a move must end it soon, because other threads that close the array
 * wait for the end. For the same reason that method must not close the array meanwhile; it would wait for itself.
 */
public final class Move implements AutoCloseable {
    private final Ownership.State state;
    private final ArrayData data;
    private final ReferenceCounted owner;
    private boolean completed;
    private boolean ended;

    private Move(DeviceArray array, Verb verb) {
        this.state = Owners.state(array);
        this.data = array.getData();
        this.owner = state.beginMove(verb);
    }

    /**
     * Begins to move an array.
     *
     * @param verb the call of the user, for messages
     * @throws IllegalStateException if the array was closed or moved, or is being read or borrowed
     */
    public static Move begin(DeviceArray array, Verb verb) {
        return new Move(array, verb);
    }

    /** Begins to move a batch as a struct array; see {@link #begin(DeviceArray, Verb)}. */
    public static Move begin(RecordBatch batch, Verb verb) {
        return new Move(Owners.struct(batch), verb);
    }

    /**
     * Moves the source of a stream to a new stream, which the caller closes.
     *
     * @param verb the call of the user, for messages
     * @throws IllegalStateException if the stream was closed or moved
     */
    public static DeviceArrayStream stream(DeviceArrayStream stream, Verb verb) {
        return Owners.move(stream, verb);
    }

    /** The structure with its buffers. */
    public ArrayData getData() {
        return data;
    }

    /** Keeps the memory alive. From {@link #complete()} on, the array's reference to it belongs to the receiver. */
    public ReferenceCounted getOwner() {
        return owner;
    }

    /** Marks the memory as moved. */
    public void complete() {
        completed = true;
    }

    /** Ends the move: the array is MOVED after {@link #complete()}, otherwise LIVE. Idempotent. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            state.endMove(completed);
        }
    }
}
