package dev.arrowdevice;

import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.DecimalReader;
import dev.arrowdevice.internal.reading.PrimitiveReaders;
import dev.arrowdevice.internal.reading.Readers;
import dev.arrowdevice.internal.reading.TemporalReader;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.HostMemory;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads many values at once into primitive arrays. If the array stores values of the same width, this copies memory.
 */
abstract class ArrayRanges extends AbstractArrayView {
    /**
     * The last chunk that was read. Null before the first read, so that an array that is only passed on needs no chunk.
     * Any thread that reads writes it, without order: see {@link ValueChunk}.
     */
    @Nullable
    ValueChunk ahead;

    ArrayRanges(Ownership ownership, ArrayData data) {
        super(ownership, data);
    }

    /** Reads booleans. */
    public final void getBooleans(long index, boolean[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getBooleans", reader -> {
            for (int i = 0; i < count; i++) {
                target[from + i] = !reader.isNull(index + i) && reader.getBoolean(index + i);
            }
        });
    }

    /** Reads bytes. */
    public final void getBytes(long index, byte[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getBytes", reader -> {
            HostMemory plain = plain(8, reader);
            if (plain != null) {
                plain.get(getData().getOffset() + index, target, from, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                target[from + i] = reader.isNull(index + i) ? 0 : reader.getByte(index + i);
            }
        });
    }

    /** Reads shorts. */
    public final void getShorts(long index, short[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getShorts", reader -> {
            HostMemory plain = plain(16, reader);
            if (plain != null) {
                plain.get((getData().getOffset() + index) << 1, target, from, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                target[from + i] = reader.isNull(index + i) ? 0 : reader.getShort(index + i);
            }
        });
    }

    /** Reads ints. */
    public final void getInts(long index, int[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getInts", reader -> getInts(reader, index, target, from, count));
    }

    /** Reads ints of a range within bounds. The caller has begun a read. */
    final void getInts(ArrayReader reader, long index, int[] target, int from, int count) {
        HostMemory plain = plain(32, reader);
        if (plain != null) {
            plain.get((getData().getOffset() + index) << 2, target, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            target[from + i] = reader.isNull(index + i) ? 0 : reader.getInt(index + i);
        }
    }

    /** Reads longs. */
    public final void getLongs(long index, long[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getLongs", reader -> getLongs(reader, index, target, from, count));
    }

    /** Reads longs of a range within bounds. The caller has begun a read. */
    final void getLongs(ArrayReader reader, long index, long[] target, int from, int count) {
        HostMemory plain = plain(64, reader);
        if (plain != null) {
            plain.get((getData().getOffset() + index) << 3, target, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            target[from + i] = reader.isNull(index + i) ? 0 : reader.getLong(index + i);
        }
    }

    /** Reads floats. */
    public final void getFloats(long index, float[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getFloats", reader -> getFloats(reader, index, target, from, count));
    }

    /** Reads floats of a range within bounds. The caller has begun a read. */
    final void getFloats(ArrayReader reader, long index, float[] target, int from, int count) {
        if (reader instanceof PrimitiveReaders.Float32) {
            buffer().get((getData().getOffset() + index) << 2, target, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            target[from + i] = reader.isNull(index + i) ? 0 : reader.getFloat(index + i);
        }
    }

    /** Reads doubles. */
    public final void getDoubles(long index, double[] target, int from, int count) {
        check(index, target.length, from, count);
        read("getDoubles", reader -> getDoubles(reader, index, target, from, count));
    }

    /** Reads doubles of a range within bounds. The caller has begun a read. */
    final void getDoubles(ArrayReader reader, long index, double[] target, int from, int count) {
        if (reader instanceof PrimitiveReaders.Float64) {
            buffer().get((getData().getOffset() + index) << 3, target, from, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            target[from + i] = reader.isNull(index + i) ? 0 : reader.getDouble(index + i);
        }
    }

    /** Reads whether each value is not null, and returns the number of nulls. */
    public final int getValidity(long index, boolean[] target, int from, int count) {
        check(index, target.length, from, count);
        int[] nulls = {0};
        read("getValidity", reader -> nulls[0] = ((ValueReader) reader).getValidity(index, target, from, count));
        return nulls[0];
    }

    /** Whether each value is not null. */
    public final boolean[] toValidityArray() {
        boolean[] target = new boolean[size()];
        read("toValidityArray", reader -> {
            for (int i = 0; i < target.length; i++) {
                target[i] = !reader.isNull(i);
            }
        });
        return target;
    }

    /** All values as booleans. */
    public final boolean[] toBooleanArray() {
        boolean[] target = new boolean[size()];
        getBooleans(0, target, 0, target.length);
        return noNulls(target);
    }

    /** All values as bytes. */
    public final byte[] toByteArray() {
        byte[] target = new byte[size()];
        getBytes(0, target, 0, target.length);
        return noNulls(target);
    }

    /** All values as shorts. */
    public final short[] toShortArray() {
        short[] target = new short[size()];
        getShorts(0, target, 0, target.length);
        return noNulls(target);
    }

    /** All values as ints. */
    public final int[] toIntArray() {
        int[] target = new int[size()];
        read("toIntArray", reader -> getInts(reader, 0, target, 0, target.length));
        return noNulls(target);
    }

    /** All values as ints, with a value in place of nulls. */
    public final int[] toIntArray(int nullValue) {
        int[] target = new int[size()];
        read("toIntArray", reader -> getInts(reader, 0, target, 0, target.length));
        forEachNull(i -> target[i] = nullValue);
        return target;
    }

    /** All values as longs. */
    public final long[] toLongArray() {
        long[] target = new long[size()];
        read("toLongArray", reader -> getLongs(reader, 0, target, 0, target.length));
        return noNulls(target);
    }

    /** All values as longs, with a value in place of nulls. */
    public final long[] toLongArray(long nullValue) {
        long[] target = new long[size()];
        read("toLongArray", reader -> getLongs(reader, 0, target, 0, target.length));
        forEachNull(i -> target[i] = nullValue);
        return target;
    }

    /** All values as floats. */
    public final float[] toFloatArray() {
        float[] target = new float[size()];
        read("toFloatArray", reader -> getFloats(reader, 0, target, 0, target.length));
        return noNulls(target);
    }

    /** All values as floats, with a value, such as NaN, in place of nulls. */
    public final float[] toFloatArray(float nullValue) {
        float[] target = new float[size()];
        read("toFloatArray", reader -> getFloats(reader, 0, target, 0, target.length));
        forEachNull(i -> target[i] = nullValue);
        return target;
    }

    /** All values as doubles. */
    public final double[] toDoubleArray() {
        double[] target = new double[size()];
        read("toDoubleArray", reader -> getDoubles(reader, 0, target, 0, target.length));
        return noNulls(target);
    }

    /** All values as doubles, with a value, such as NaN, in place of nulls. */
    public final double[] toDoubleArray(double nullValue) {
        double[] target = new double[size()];
        read("toDoubleArray", reader -> getDoubles(reader, 0, target, 0, target.length));
        forEachNull(i -> target[i] = nullValue);
        return target;
    }

    private interface NullHandler {
        void set(int index);
    }

    private void forEachNull(NullHandler action) {
        read("isNull", reader -> {
            int size = ((ValueReader) reader).mayHaveNulls() ? size() : 0;
            for (int i = 0; i < size; i++) {
                if (reader.isNull(i)) {
                    action.set(i);
                }
            }
        });
    }

    private <A> A noNulls(A target) {
        forEachNull(i -> {
            throw new IllegalStateException(
                    "the value at index " + i + place() + " is null; give a value to put in place of nulls");
        });
        return target;
    }

    private String place() {
        String name = name();
        return name == null || name.isEmpty() ? "" : " of field " + Brief.quoted(name);
    }

    private int size() {
        long length = getLength();
        if (length > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("an array of " + length + " values does not fit a Java array");
        }
        return (int) length;
    }

    private void check(long index, int targetLength, int from, int count) {
        Objects.checkFromIndexSize(from, count, targetLength);
        if (index < 0 || index > getLength() - count) {
            throw new IndexOutOfBoundsException(
                    count + " values from index " + index + " of an array of length " + getLength() + place());
        }
    }

    private void read(String operation, Consumer<ArrayReader> action) {
        ValueChunk last = beginRead(operation);
        try {
            action.accept(last.reader);
        } finally {
            ownership.state.endRead();
        }
    }

    /** The memory of the values if the array stores integers of exactly this width, else null. */
    private @Nullable HostMemory plain(int bitWidth, ArrayReader reader) {
        boolean integers = reader instanceof PrimitiveReaders.Int8
                || reader instanceof PrimitiveReaders.Int16
                || reader instanceof PrimitiveReaders.Int32
                || reader instanceof PrimitiveReaders.Int64
                || reader instanceof TemporalReader
                || reader instanceof DecimalReader;
        return integers && getType().layout().bitWidth() == bitWidth ? buffer() : null;
    }

    private HostMemory buffer() {
        return ArrayBuffers.memory(getData().buffer(1));
    }

    /** Begins a read of the memory for a getter, which must end it. Waits until the values are there. */
    final ValueChunk beginRead(String operation) {
        ownership.state.beginRead(operation, name());
        try {
            ValueChunk known = ahead;
            if (known == null) {
                awaitReady();
                known = new ValueChunk(ownership.state, reader(operation, null), 0);
                ahead = known;
            }
            return known;
        } catch (Throwable e) {
            ownership.state.endRead();
            throw e;
        }
    }

    final ValueReader reader(String operation, @Nullable BorrowScope scope) {
        try {
            return newReader(scope).named(name());
        } catch (UnreadableDeviceException e) {
            throw new UnreadableDeviceException(operation, e);
        }
    }

    /** The name of the field that this is the array of, for messages, or null if there is none. */
    @Nullable
    String name() {
        return null;
    }

    /** The reader of this array. Without a scope, the caller begins a read for each use. */
    ValueReader newReader(@Nullable BorrowScope scope) {
        return Readers.of(getData(), scope);
    }

    final void awaitReady() {
        DeviceEvent ready = getReadyEvent();
        if (ready != null && getData().isPartlyHostReadable()) {
            ready.await();
        }
    }
}
