package dev.arrowdevice.array;

import dev.arrowdevice.memory.DeviceType;
import dev.arrowdevice.type.Field;
import dev.arrowdevice.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A source of arrays of one type, pulled one by one; usually record batches. A stream is either made here, of any
 * iterator, list or Java stream of batches, or imported from a foreign producer.
 *
 * <p>The arrays belong to the caller, who closes each, and outlive the stream. A stream is used by one thread at a time:
 * "the stream source is not assumed to be thread-safe".
 */
public abstract class DeviceArrayStream implements AutoCloseable {
    /** For implementations of streams in this library and on top of it. */
    protected DeviceArrayStream() {}

    /**
     * The code of the device type whose memory all arrays are on, see {@link DeviceType}.
     */
    public abstract int deviceType();

    /** The type of the arrays, with nullability and metadata; of batches, a struct. */
    public abstract Field field();

    /**
     * The schema of the batches.
     *
     * @throws dev.arrowdevice.type.InvalidSchemaException if the stream is not one of structs
     */
    public final Schema schema() {
        return Schema.fromStruct(field());
    }

    /**
     * The next array, which the caller closes; null at the end, again and again. May block.
     *
     * @throws IllegalStateException if the stream was closed; and what the producer throws, or for a foreign one an
     *     exception with its error code and message
     */
    public abstract @Nullable DeviceArray nextArray();

    /**
     * The next array as a batch, which the caller closes; null at the end, again and again. May block.
     *
     * @see #nextArray
     */
    public @Nullable RecordBatch nextBatch() {
        Schema schema = schema();
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

    /** Ends the stream and frees what its producer holds; arrays taken from it stay. Idempotent. */
    @Override
    public abstract void close();

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
                batches.isEmpty() ? DeviceType.CPU : batches.get(0).device().type();
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
        return new IteratorStream(schema.toStruct(), deviceType, close) {
            @Override
            @Nullable
            DeviceArray produce() {
                if (!batches.hasNext()) {
                    return null;
                }
                RecordBatch batch = batches.next();
                try {
                    return batch.intoStruct();
                } catch (Throwable e) {
                    batch.close();
                    throw e;
                }
            }
        };
    }

    /**
     * A stream of arrays of any one type.
     *
     * @param close called once, when the stream is closed
     */
    public static DeviceArrayStream ofArrays(
            Field field, int deviceType, Iterator<DeviceArray> arrays, AutoCloseable close) {
        return new IteratorStream(field, deviceType, close) {
            @Override
            @Nullable
            DeviceArray produce() {
                return arrays.hasNext() ? arrays.next() : null;
            }
        };
    }
}
