package dev.arrowdevice;

import dev.arrowdevice.internal.owners.IteratorStream;
import dev.arrowdevice.spi.Verb;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A source of arrays of one type, pulled one by one; usually record batches. A stream is either made here, of any
 * iterator, list or Java stream of batches, or imported from a foreign producer.
 *
 * <p>The arrays belong to the caller, who closes each, and outlive the stream. A stream is meant for one thread at a
 * time, "the stream source is not assumed to be thread-safe"; calls from several are serialised, so that {@link #close}
 * waits for a {@link #nextArray} that is under way. Exporting a stream moves it: any further use of the moved one throws
 * {@link IllegalStateException}, closing it does nothing.
 */
public abstract class DeviceArrayStream implements AutoCloseable {
    private enum State {
        OPEN,
        /** A block of an export has the source. */
        EXPORTING,
        MOVED,
        CLOSED
    }

    private State state = State.OPEN;
    private boolean ended;
    /** Closed while it was exported: takes effect at the end of the loan. */
    private boolean closing;

    /** For implementations of streams in this library and on top of it. */
    protected DeviceArrayStream() {}

    /** The code of the device type whose memory all arrays are on, see {@link DeviceType}. */
    public abstract int getDeviceType();

    /** The type of the arrays, with nullability and metadata; of batches, a struct. */
    public abstract Field getField();

    /** Gives the next array, null at the end; not called again after that, nor after {@link #closeSource}. */
    protected abstract @Nullable DeviceArray pull();

    /** Frees what the producer holds; called once. */
    protected abstract void closeSource();

    /**
     * The schema of the batches.
     *
     * @throws dev.arrowdevice.InvalidSchemaException if the stream is not one of structs
     */
    public final Schema getSchema() {
        return Schema.fromStruct(getField());
    }

    /**
     * The next array, which the caller closes; null at the end, again and again. May block.
     *
     * @throws IllegalStateException if the stream was closed or moved; and what the producer throws, of a foreign one an
     *     exception with its error code and message
     */
    public final synchronized @Nullable DeviceArray nextArray() {
        requireOpen("nextArray");
        if (ended) {
            return null;
        }
        DeviceArray array = pull();
        ended = array == null;
        return array;
    }

    /**
     * The next array as a batch, which the caller closes; null at the end, again and again. May block.
     *
     * @see #nextArray
     */
    public final @Nullable RecordBatch nextBatch() {
        Schema schema = getSchema();
        DeviceArray array = nextArray();
        if (array == null) {
            return null;
        }
        try {
            return RecordBatch.ofStruct(schema, array);
        } catch (Throwable e) {
            array.close();
            throw e;
        }
    }

    /** Moves the source to a new stream, which the caller closes; this one is moved. */
    final synchronized DeviceArrayStream move(Verb verb) {
        requireOpen(verb.toString());
        state = State.MOVED;
        return new MovedStream(this, ended);
    }

    /** Lends the source to a new stream; {@link #endBlockExport} must follow. */
    final synchronized DeviceArrayStream beginBlockExport(Verb verb) {
        requireOpen(verb.toString());
        state = State.EXPORTING;
        return new MovedStream(this, ended);
    }

    /**
     * Ends a loan.
     *
     * @param taken whether the borrower keeps the stream; if not it is of no use any more, and this one goes on where it
     *     stopped
     */
    final void endBlockExport(DeviceArrayStream exported, boolean taken) {
        // Before our own lock: a call of the exported stream that is under way holds its lock and may want ours.
        boolean exportedEnded = !taken && exported.disown();
        synchronized (this) {
            if (taken) {
                state = State.MOVED;
                return;
            }
            ended |= exportedEnded;
            state = State.OPEN;
            if (closing) {
                close();
            }
        }
    }

    /** Makes a stream forget its source. True if the source has ended. */
    private synchronized boolean disown() {
        state = State.MOVED;
        return ended;
    }

    /**
     * Ends the stream and frees what its producer holds; arrays taken from it stay. While a block exports it, this takes
     * effect when the block ends, if nobody took the stream. Idempotent.
     */
    @Override
    public final synchronized void close() {
        closing = true;
        if (state == State.OPEN) {
            state = State.CLOSED;
            closeSource();
        }
    }

    private void requireOpen(String operation) {
        if (state == State.EXPORTING) {
            throw new IllegalStateException(operation + ": the stream is being exported by a block; let the block end");
        }
        if (state != State.OPEN) {
            throw new IllegalStateException(operation + ": the stream has been "
                    + (state == State.MOVED ? "moved (exported, or made part of another one)" : "closed"));
        }
    }

    /** The source of a stream under a new owner. */
    private static final class MovedStream extends DeviceArrayStream {
        private final DeviceArrayStream source;
        private final boolean atEnd;

        MovedStream(DeviceArrayStream source, boolean atEnd) {
            this.source = source;
            this.atEnd = atEnd;
        }

        @Override
        public int getDeviceType() {
            return source.getDeviceType();
        }

        @Override
        public Field getField() {
            return source.getField();
        }

        @Override
        protected @Nullable DeviceArray pull() {
            return atEnd ? null : source.pull();
        }

        @Override
        protected void closeSource() {
            source.closeSource();
        }
    }

    /**
     * A stream of CPU batches that are made as they are asked for. An exception of the iterator, or a batch that does
     * not fit the schema, fails the call that asked for it.
     *
     * @param batches gives batches whose owners go over to the stream; closed with the stream if it is
     *     {@link AutoCloseable}
     */
    public static DeviceArrayStream of(Schema schema, Iterator<RecordBatch> batches) {
        return of(schema, DeviceType.CPU, batches, () -> {
            if (batches instanceof AutoCloseable) {
                ((AutoCloseable) batches).close();
            }
        });
    }

    /** A stream of batches that exist; the stream owns them and closes those that are not taken. */
    public static DeviceArrayStream of(Schema schema, List<RecordBatch> batches) {
        Iterator<RecordBatch> iterator = List.copyOf(batches).iterator();
        int deviceType =
                batches.isEmpty() ? DeviceType.CPU : batches.get(0).getDevice().type();
        return of(schema, deviceType, iterator, () -> iterator.forEachRemaining(RecordBatch::close));
    }

    /** A stream of CPU batches of a Java stream, which is closed with it. */
    public static DeviceArrayStream of(Schema schema, Stream<RecordBatch> batches) {
        return of(schema, DeviceType.CPU, batches.iterator(), batches::close);
    }

    /**
     * A stream of batches on devices of one type.
     *
     * @param close called once, when the stream is closed
     */
    public static DeviceArrayStream of(
            Schema schema, int deviceType, Iterator<RecordBatch> batches, AutoCloseable close) {
        Iterator<DeviceArray> structs = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return batches.hasNext();
            }

            @Override
            public DeviceArray next() {
                RecordBatch batch = batches.next();
                try {
                    return batch.intoStruct();
                } catch (Throwable e) {
                    batch.close();
                    throw e;
                }
            }
        };
        return new IteratorStream(schema.toStruct(), deviceType, structs, close);
    }

    /**
     * A stream of arrays of any one type.
     *
     * @param close called once, when the stream is closed
     */
    public static DeviceArrayStream ofArrays(
            Field field, int deviceType, Iterator<DeviceArray> arrays, AutoCloseable close) {
        return new IteratorStream(field, deviceType, arrays, close);
    }
}
