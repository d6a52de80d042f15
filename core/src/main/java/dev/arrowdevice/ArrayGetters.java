package dev.arrowdevice;

import dev.arrowdevice.internal.owners.Handle;
import dev.arrowdevice.spi.ArrayData;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The getters of single values. Each holds the memory while it reads; of numbers that are read in order, a block is
 * copied meanwhile, and those of the block are given as long as the owner is live, without a hold.
 */
abstract class ArrayGetters extends ArrayRanges {
    ArrayGetters(Handle handle, ArrayData data) {
        super(handle, data);
    }

    /** Whether a value is null; see {@link ArrayReader#isNull}. */
    public final boolean isNull(long index) {
        Block known = ahead;
        if (known != null && known.contains(index) && known.state.looksLive()) {
            return known.isNull(index);
        }
        return readNull(index);
    }

    private boolean readNull(long index) {
        Block held = hold("isNull");
        try {
            Block next = readAhead(held, index, false, held::read);
            return next == null ? held.reader.isNull(index) : next.isNull(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getBoolean}. */
    public final boolean getBoolean(long index) {
        Block held = hold("getBoolean");
        try {
            return held.reader.getBoolean(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getByte}. */
    public final byte getByte(long index) {
        Block held = hold("getByte");
        try {
            return held.reader.getByte(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getShort}. */
    public final short getShort(long index) {
        Block held = hold("getShort");
        try {
            return held.reader.getShort(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getInt}. */
    public final int getInt(long index) {
        if (ahead instanceof Block.Ints known) {
            long at = index - known.first;
            int[] values = known.plain;
            if (Block.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readInt(index);
    }

    private int readInt(long index) {
        if (ahead instanceof Block.Ints known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        Block held = hold("getInt");
        try {
            Block.Ints next = readAhead(held, index, true, Block.Ints::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.reader.getInt(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getLong}. */
    public final long getLong(long index) {
        if (ahead instanceof Block.Longs known) {
            long at = index - known.first;
            long[] values = known.plain;
            if (Block.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readLong(index);
    }

    private long readLong(long index) {
        if (ahead instanceof Block.Longs known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        Block held = hold("getLong");
        try {
            Block.Longs next = readAhead(held, index, true, Block.Longs::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.reader.getLong(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getFloat}. */
    public final float getFloat(long index) {
        if (ahead instanceof Block.Floats known) {
            long at = index - known.first;
            float[] values = known.plain;
            if (Block.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readFloat(index);
    }

    private float readFloat(long index) {
        if (ahead instanceof Block.Floats known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        Block held = hold("getFloat");
        try {
            Block.Floats next = readAhead(held, index, true, Block.Floats::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.reader.getFloat(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getDouble}. */
    public final double getDouble(long index) {
        if (ahead instanceof Block.Doubles known) {
            long at = index - known.first;
            double[] values = known.plain;
            if (Block.isWithin(at, values.length) && known.state.looksLive()) {
                return values[(int) at];
            }
        }
        return readDouble(index);
    }

    private double readDouble(long index) {
        if (ahead instanceof Block.Doubles known) {
            int at = known.find(index);
            if (at >= 0 && known.state.looksLive()) {
                return known.values[at];
            }
        }
        Block held = hold("getDouble");
        try {
            Block.Doubles next = readAhead(held, index, true, Block.Doubles::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.reader.getDouble(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getDecimal}. */
    public final BigDecimal getDecimal(long index) {
        Block held = hold("getDecimal");
        try {
            return held.reader.getDecimal(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getString}. */
    public final String getString(long index) {
        Block held = hold("getString");
        try {
            return held.reader.getString(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getBytes}. */
    public final byte[] getBytes(long index) {
        Block held = hold("getBytes");
        try {
            return held.reader.getBytes(index);
        } finally {
            handle.state.drop();
        }
    }

    /** The value as an object, null if it is null; see {@link ArrayReader#getObject} for the classes. */
    public final @Nullable Object getObject(long index) {
        Block held = hold("getObject");
        try {
            return held.reader.getObject(index);
        } finally {
            handle.state.drop();
        }
    }

    /**
     * The block that begins with an index, copied now; null if values are not read in order, or one can't be read. The
     * caller holds the memory.
     *
     * @param known the last block
     */
    private <B extends Block> @Nullable B readAhead(Block known, long index, boolean values, Block.Kind<B> kind) {
        int size = known.sizeAhead(values, index, getLength());
        if (size <= 1) {
            return null;
        }
        try {
            B next = kind.read(this, known.reader, index, size);
            ahead = next;
            return next;
        } catch (RuntimeException e) {
            // One of the values, or all: it shows when its turn has come.
            ahead = new Block(known.state, known.reader, index + 1);
            return null;
        }
    }
}
