package dev.arrowdevice;

import dev.arrowdevice.internal.owners.IteratorStream;
import dev.arrowdevice.spi.Verb;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A source of arrays of one type, usually record batches, that are pulled one by one. A stream is imported from a
 * foreign producer, or made here of an iterator, a list or a Java stream of batches.
 *
 * <p>The arrays belong to the caller, which closes each of them, and they outlive the stream. A stream is for one
 * thread at a time: "the stream source is not assumed to be thread-safe". Calls from several threads are serialised, so
 * {@link #close} waits for a {@link #nextArray} that is running. Exporting a stream moves it: after that every use
 * throws {@link IllegalStateException}, and closing does nothing.
 */
public abstract class DeviceArrayStream implements AutoCloseable {
    private enum State {
        LIVE,
        /** A block exports the stream and has its source. */
        EXPORTING,
        MOVED,
        RELEASED
    }

    private State state = State.LIVE;
    private boolean ended;
    /** The stream was closed while a block exported it. The close takes effect when the block ends. */
    private boolean closing;
    /** What a preview has pulled and nobody has taken yet. */
    private @Nullable Pulled ahead;

    /** For implementations of streams in this library and on top of it. */
    protected DeviceArrayStream() {}

    /** The code of the device type that the memory of all arrays is on; see {@link DeviceType}. */
    public abstract int getDeviceType();

    /** The type of the arrays, with nullability and metadata. For batches this is a struct. */
    public abstract Field getField();

    /** Returns the next array, or null at the end. Not called again after that, nor after {@link #closeSource}. */
    protected abstract @Nullable DeviceArray pull();

    /** Releases the resources of the producer. Called once. */
    protected abstract void closeSource();

    /**
     * The schema of the batches.
     *
     * @throws dev.arrowdevice.InvalidSchemaException if the type of the arrays is not a struct
     */
    public final Schema getSchema() {
        return Schema.fromStruct(getField());
    }

    /**
     * The next array, which the caller closes. Null at the end, and at every call after that. May block.
     *
     * @throws IllegalStateException if the stream was closed or moved. A producer's own exceptions pass through; a
     *     foreign producer's failure is an exception with its error code and message
     */
    public final @Nullable DeviceArray nextArray() {
        return next("nextArray");
    }

    private synchronized @Nullable DeviceArray next(String operation) {
        requireLive(operation);
        if (ended) {
            return null;
        }
        DeviceArray array = pullOrTakeAhead();
        ended = array == null;
        return array;
    }

    private @Nullable DeviceArray pullOrTakeAhead() {
        Pulled pulled = ahead;
        ahead = null;
        return pulled == null ? pull() : pulled.take();
    }

    /**
     * One more owner of the array that {@link #nextArray} will return, which the caller closes; null at the end. Pulls the array
     * if that has not happened yet. A failure is that of {@link #nextArray} too, which does not pull again after it.
     */
    final synchronized @Nullable DeviceArray peek() {
        requireLive("peek");
        if (ended) {
            return null;
        }
        if (ahead == null) {
            ahead = Pulled.from(this);
        }
        return ahead.share();
    }

    /**
     * The next array as a batch, which the caller closes. Null at the end, and at every call after that. May block.
     *
     * @see #nextArray
     */
    public final @Nullable RecordBatch nextBatch() {
        Schema schema = getSchema();
        DeviceArray array = next("nextBatch");
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

    /** Moves the source to a new stream, which the caller closes. */
    final synchronized DeviceArrayStream move(Verb verb) {
        requireLive(verb.toString());
        state = State.MOVED;
        return new MovedStream(this, ended);
    }

    /** Passes the source to a new stream, for the time of a block. {@link #endBlockExport} must follow. */
    final synchronized DeviceArrayStream beginBlockExport(Verb verb) {
        requireLive(verb.toString());
        state = State.EXPORTING;
        return new MovedStream(this, ended);
    }

    /**
     * Ends an export by a block.
     *
     * @param taken whether the consumer took the stream. If not, the exported stream is of no use any more, and this
     *     one continues where it stopped
     */
    final void endBlockExport(DeviceArrayStream exported, boolean taken) {
        // Before we take our own lock: a running call of the exported stream has that stream's lock and may want ours.
        boolean exportedEnded = !taken && exported.disown();
        synchronized (this) {
            if (taken) {
                state = State.MOVED;
                return;
            }
            ended |= exportedEnded;
            state = State.LIVE;
            if (closing) {
                close();
            }
        }
    }

    /** Makes a stream forget its source. Returns whether the source has ended. */
    private synchronized boolean disown() {
        state = State.MOVED;
        return ended;
    }

    /**
     * Ends the stream and releases the resources of its producer. Arrays that were taken from it stay valid. While a
     * block exports the stream, this takes effect when the block ends, unless the consumer took the stream. Idempotent.
     */
    @Override
    public final synchronized void close() {
        closing = true;
        if (state == State.LIVE) {
            state = State.RELEASED;
            closeAheadAndSource();
        }
    }

    private void closeAheadAndSource() {
        Pulled pulled = ahead;
        ahead = null;
        try {
            if (pulled != null && pulled.array != null) {
                pulled.array.close();
            }
        } finally {
            closeSource();
        }
    }

    private void requireLive(String operation) {
        if (state == State.EXPORTING) {
            throw new IllegalStateException(operation + ": the stream is being exported by a block; let the block end");
        }
        if (state != State.LIVE) {
            throw new IllegalStateException(operation + ": the stream has been "
                    + (state == State.MOVED ? "moved (exported, or made part of another one)" : "closed"));
        }
    }

    /** A stream that has taken over the source of another. */
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
            return atEnd ? null : source.pullOrTakeAhead();
        }

        @Override
        protected void closeSource() {
            source.closeAheadAndSource();
        }
    }

    /** The outcome of a pull: an array, the end or a failure. */
    private record Pulled(
            @Nullable DeviceArray array, @Nullable Throwable failure) {
        static Pulled from(DeviceArrayStream stream) {
            try {
                return new Pulled(stream.pull(), null);
            } catch (Throwable e) {
                return new Pulled(null, e);
            }
        }

        @Nullable
        DeviceArray take() {
            if (failure != null) {
                Pulled.<RuntimeException>rethrow(failure);
            }
            return array;
        }

        @Nullable
        DeviceArray share() {
            DeviceArray taken = take();
            return taken == null ? null : taken.share();
        }

        /** Also a checked exception, which sources written in Kotlin throw undeclared. */
        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void rethrow(Throwable failure) throws E {
            throw (E) failure;
        }
    }

    /**
     * A stream of CPU batches. Each batch is made when it is asked for. If the iterator throws, or a batch does not fit
     * the schema, the call that asked for the batch fails.
     *
     * @param batches returns batches, which the stream then owns; closed with the stream if it is {@link AutoCloseable}
     */
    public static DeviceArrayStream of(Schema schema, Iterator<RecordBatch> batches) {
        return of(schema, DeviceType.CPU, batches, () -> {
            if (batches instanceof AutoCloseable) {
                ((AutoCloseable) batches).close();
            }
        });
    }

    /** A stream of batches that exist already. The stream owns them, and closes those that are not taken. */
    public static DeviceArrayStream of(Schema schema, List<RecordBatch> batches) {
        Iterator<RecordBatch> iterator = List.copyOf(batches).iterator();
        int deviceType =
                batches.isEmpty() ? DeviceType.CPU : batches.get(0).getDevice().type();
        return of(schema, deviceType, iterator, () -> iterator.forEachRemaining(RecordBatch::close));
    }

    /** A stream of CPU batches from a Java stream, which is closed with it. */
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
