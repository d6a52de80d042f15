package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.internal.owners.Ownership;

/**
 * An array that is being moved: nobody else may read or move it meanwhile. {@link #complete()} makes its memory the
 * receiver's; if it was not called by then, {@link #close()} leaves the array as it was.
 *
 * <p>Not for concurrent use, and to be closed soon, by the method that began it: others who close the array wait for that.
 * So the method itself must not close the array meanwhile; it would wait for itself.
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
     * @param verb what the user called, for the messages
     * @throws IllegalStateException if the array was closed or moved, or is being read or borrowed
     */
    public static Move begin(DeviceArray array, Verb verb) {
        return new Move(array, verb);
    }

    /** Begins to move a batch, as the struct array that it is; see {@link #begin(DeviceArray, Verb)}. */
    public static Move begin(RecordBatch batch, Verb verb) {
        return new Move(Owners.struct(batch), verb);
    }

    /**
     * Moves the source of a stream to a new stream, which the caller closes.
     *
     * @param verb what the user called, for the messages
     * @throws IllegalStateException if the stream was closed or moved
     */
    public static DeviceArrayStream stream(DeviceArrayStream stream, Verb verb) {
        return Owners.move(stream, verb);
    }

    /** The structure with its buffers. */
    public ArrayData getData() {
        return data;
    }

    /** What keeps the memory alive; the reference that the array read is the receiver's from {@link #complete()} on. */
    public ReferenceCounted getOwner() {
        return owner;
    }

    /** The memory has been moved. */
    public void complete() {
        completed = true;
    }

    /** Ends the move, as {@link #complete()} says. Idempotent. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            state.endMove(completed);
        }
    }
}
