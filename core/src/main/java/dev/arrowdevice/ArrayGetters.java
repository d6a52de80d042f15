package dev.arrowdevice;

import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.spi.ArrayData;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The getters of single values. If a caller reads numbers in order, a getter copies a chunk ahead, and returns later
 * values from the chunk as long as the owner is live. Every other getter begins and ends a read of the memory.
 */
abstract class ArrayGetters extends ArrayRanges {
    ArrayGetters(Ownership ownership, ArrayData data) {
        super(ownership, data);
    }

    /** Whether a value is null; see {@link ArrayReader#isNull}. */
    public final boolean isNull(long index) {
        ValueChunk known = ahead;
        if (known != null && known.contains(index) && known.state.looksLive()) {
            return known.isNull(index);
        }
        return readNull(index);
    }

    private boolean readNull(long index) {
        ValueChunk last = beginRead("isNull");
        try {
            ValueChunk next = readAhead(last, index, false, last::read);
            return next == null ? last.reader.isNull(index) : next.isNull(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getBoolean}. */
    public final boolean getBoolean(long index) {
        ValueChunk last = beginRead("getBoolean");
        try {
            return last.reader.getBoolean(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getByte}. */
    public final byte getByte(long index) {
        ValueChunk last = beginRead("getByte");
        try {
            return last.reader.getByte(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getShort}. */
    public final short getShort(long index) {
        ValueChunk last = beginRead("getShort");
        try {
            return last.reader.getShort(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getInt}. */
    public final int getInt(long index) {
        if (ahead instanceof ValueChunk.Ints known) {
            long at = index - known.first;
            int[] values = known.plain;
            if (ValueChunk.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readInt(index);
    }

    private int readInt(long index) {
        if (ahead instanceof ValueChunk.Ints known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        ValueChunk last = beginRead("getInt");
        try {
            ValueChunk.Ints next = readAhead(last, index, true, ValueChunk.Ints::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : last.reader.getInt(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getLong}. */
    public final long getLong(long index) {
        if (ahead instanceof ValueChunk.Longs known) {
            long at = index - known.first;
            long[] values = known.plain;
            if (ValueChunk.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readLong(index);
    }

    private long readLong(long index) {
        if (ahead instanceof ValueChunk.Longs known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        ValueChunk last = beginRead("getLong");
        try {
            ValueChunk.Longs next = readAhead(last, index, true, ValueChunk.Longs::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : last.reader.getLong(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getFloat}. */
    public final float getFloat(long index) {
        if (ahead instanceof ValueChunk.Floats known) {
            long at = index - known.first;
            float[] values = known.plain;
            if (ValueChunk.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readFloat(index);
    }

    private float readFloat(long index) {
        if (ahead instanceof ValueChunk.Floats known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        ValueChunk last = beginRead("getFloat");
        try {
            ValueChunk.Floats next = readAhead(last, index, true, ValueChunk.Floats::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : last.reader.getFloat(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getDouble}. */
    public final double getDouble(long index) {
        if (ahead instanceof ValueChunk.Doubles known) {
            long at = index - known.first;
            double[] values = known.plain;
            if (ValueChunk.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readDouble(index);
    }

    private double readDouble(long index) {
        if (ahead instanceof ValueChunk.Doubles known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        ValueChunk last = beginRead("getDouble");
        try {
            ValueChunk.Doubles next = readAhead(last, index, true, ValueChunk.Doubles::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : last.reader.getDouble(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getDecimal}. */
    public final BigDecimal getDecimal(long index) {
        ValueChunk last = beginRead("getDecimal");
        try {
            return last.reader.getDecimal(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getString}. */
    public final String getString(long index) {
        ValueChunk last = beginRead("getString");
        try {
            return last.reader.getString(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** See {@link ArrayReader#getBytes}. */
    public final byte[] getBytes(long index) {
        ValueChunk last = beginRead("getBytes");
        try {
            return last.reader.getBytes(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /** The value as an object, null if it is null; see {@link ArrayReader#getObject} for the classes. */
    public final @Nullable Object getObject(long index) {
        ValueChunk last = beginRead("getObject");
        try {
            return last.reader.getObject(index);
        } finally {
            ownership.state.endRead();
        }
    }

    /**
     * Copies the chunk that begins with an index. Returns null if values are not read in order, or one can't be read.
     * The caller has begun a read.
     *
     * @param known the last block
     */
    private <C extends ValueChunk> @Nullable C readAhead(
            ValueChunk known, long index, boolean values, ValueChunk.Kind<C> kind) {
        int size = known.sizeAhead(values, index, getLength());
        if (size <= 1) {
            return null;
        }
        try {
            C next = kind.read(this, known.reader, index, size);
            ahead = next;
            return next;
        } catch (RuntimeException e) {
            // Perhaps only one of the values can't be read. Its own getter throws the exception.
            ahead = new ValueChunk(known.state, known.reader, index + 1);
            return null;
        }
    }
}
