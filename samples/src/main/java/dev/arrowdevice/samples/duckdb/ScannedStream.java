package dev.arrowdevice.samples.duckdb;

import java.lang.foreign.Arena;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A registered Arrow stream: owns the structs of stream and schema.
 *
 * <p>A statement {@link #take takes} the stream to scan it and {@link #finish finishes} with it. Meanwhile {@link
 * #close} only makes a note, and the stream is released by whoever comes last.
 */
final class ScannedStream {
    private static final ConcurrentMap<Long, ScannedStream> OPEN = new ConcurrentHashMap<>();
    private static final AtomicLong LAST_ID = new AtomicLong();

    private enum State {
        WAITING,
        SCANNED,
        READ
    }

    private final long id = LAST_ID.incrementAndGet();
    private final String name;
    private final Arena memory = Arena.ofShared();
    private final long stream;
    private final long schema;
    private State state = State.WAITING;
    private boolean closed;

    /** Moves the stream in. */
    ScannedStream(String name, long arrowArrayStream) {
        this.name = name;
        stream = memory.allocate(ArrowStream.SIZE, 8).address();
        schema = memory.allocate(ArrowStream.SCHEMA_SIZE, 8).address();
        ArrowStream.move(arrowArrayStream, stream);
        OPEN.put(id, this);
    }

    static ScannedStream find(long id) {
        @Nullable ScannedStream found = OPEN.get(id);
        if (found == null) {
            throw new DuckDbException("the Arrow stream of this view has been closed");
        }
        return found;
    }

    long id() {
        return id;
    }

    void readSchema() {
        ArrowStream.getSchema(stream, schema);
    }

    /** Address of the stream's schema, which belongs to this object. */
    long schema() {
        return schema;
    }

    /** Passes the stream to one scan. */
    synchronized long take() {
        if (closed || state != State.WAITING) {
            throw new DuckDbException(
                    "the Arrow stream \"" + name + "\" has been read already: a C stream is read once."
                            + " To read its rows again, first keep them: CREATE TABLE … AS FROM " + name);
        }
        state = State.SCANNED;
        return stream;
    }

    /** Releases the stream after its scan. */
    synchronized void finish() {
        state = State.READ;
        ArrowStream.release(stream);
        if (closed) {
            free();
        }
    }

    /** Ends the registration; false when it had ended before. */
    synchronized boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        OPEN.remove(id);
        if (state != State.SCANNED) {
            ArrowStream.release(stream);
            free();
        }
        return true;
    }

    private void free() {
        ArrowStream.releaseSchema(schema);
        memory.close();
    }
}
