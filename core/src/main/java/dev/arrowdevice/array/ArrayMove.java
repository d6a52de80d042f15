package dev.arrowdevice.array;

import dev.arrowdevice.memory.ReferenceCounted;

/**
 * An array that is being moved: nobody else may read or move it meanwhile. {@link #done()} makes its memory the
 * receiver's; if it was not called by then, {@link #close()} leaves the array as it was. For those who build on arrays;
 * users move by exporting.
 *
 * <p>Not for concurrent use, and to be closed soon, by the method that began it: others who close the array wait for that.
 */
public final class ArrayMove implements AutoCloseable {
    private final Handle.State state;
    private final ArrayData data;
    private final ReferenceCounted owner;
    private boolean done;

    ArrayMove(String operation, Handle.State state, ArrayData data) {
        this.state = state;
        this.data = data;
        this.owner = state.beginMove(operation);
    }

    /** The structure with its buffers. */
    public ArrayData data() {
        return data;
    }

    /** What keeps the memory alive; the reference that the array held is the receiver's from {@link #done()} on. */
    public ReferenceCounted owner() {
        return owner;
    }

    /** The memory has been moved. */
    public void done() {
        done = true;
    }

    /** Ends the move, as {@link #done()} says; to be called once. */
    @Override
    public void close() {
        state.endMove(done);
    }
}
