package dev.arrowdevice;

import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.internal.owners.Handle;
import dev.arrowdevice.internal.reading.Readers;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.spi.ArrayData;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The getters of single values. Each holds the memory while it reads; of numbers that are read in order, a block is
 * copied meanwhile, and those of the block are given as long as the owner is live, without a hold.
 */
abstract class ArrayGetters extends ArrayFace {
    private final Handle.State state;
    private @Nullable ValueReader reader;

    /** What was copied last. Written by any thread that reads, without order: a block is immutable. */
    private @Nullable Block ahead;

    /** The index after the last one that was read by itself; 0 if there was none. A hint, written as {@link #ahead} is. */
    private long expected;

    ArrayGetters(Handle handle, ArrayData data) {
        super(handle, data);
        state = handle.state;
    }

    /** Whether a value is null; see {@link ArrayReader#isNull}. */
    public final boolean isNull(long index) {
        Block known = ahead;
        if (known != null && known.contains(index) && state.looksLive()) {
            return known.isNull(index);
        }
        return readNull(index);
    }

    private boolean readNull(long index) {
        ValueReader held = hold("isNull");
        try {
            Block known = ahead;
            Block next = readAhead(held, index, false, known == null ? Block::new : known::read);
            return next == null ? held.isNull(index) : next.isNull(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getBoolean}. */
    public final boolean getBoolean(long index) {
        ValueReader held = hold("getBoolean");
        try {
            return held.getBoolean(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getByte}. */
    public final byte getByte(long index) {
        ValueReader held = hold("getByte");
        try {
            return held.getByte(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getShort}. */
    public final short getShort(long index) {
        ValueReader held = hold("getShort");
        try {
            return held.getShort(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getInt}. */
    public final int getInt(long index) {
        if (ahead instanceof Block.Ints known) {
            long at = index - known.first;
            int[] values = known.plain;
            if (Block.isWithin(at, values.length) && state.looksLive()) {
                return values[(int) at];
            }
        }
        return readInt(index);
    }

    private int readInt(long index) {
        if (ahead instanceof Block.Ints known) {
            int at = known.find(index);
            if (at >= 0 && state.looksLive()) {
                return known.values[at];
            }
        }
        ValueReader held = hold("getInt");
        try {
            Block.Ints next = readAhead(held, index, true, Block.Ints::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.getInt(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getLong}. */
    public final long getLong(long index) {
        if (ahead instanceof Block.Longs known) {
            long at = index - known.first;
            long[] values = known.plain;
            if (Block.isWithin(at, values.length) && state.looksLive()) {
                return values[(int) at];
            }
        }
        return readLong(index);
    }

    private long readLong(long index) {
        if (ahead instanceof Block.Longs known) {
            int at = known.find(index);
            if (at >= 0 && state.looksLive()) {
                return known.values[at];
            }
        }
        ValueReader held = hold("getLong");
        try {
            Block.Longs next = readAhead(held, index, true, Block.Longs::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.getLong(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getFloat}. */
    public final float getFloat(long index) {
        if (ahead instanceof Block.Floats known) {
            long at = index - known.first;
            float[] values = known.plain;
            if (Block.isWithin(at, values.length) && state.looksLive()) {
                return values[(int) at];
            }
        }
        return readFloat(index);
    }

    private float readFloat(long index) {
        if (ahead instanceof Block.Floats known) {
            int at = known.find(index);
            if (at >= 0 && state.looksLive()) {
                return known.values[at];
            }
        }
        ValueReader held = hold("getFloat");
        try {
            Block.Floats next = readAhead(held, index, true, Block.Floats::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.getFloat(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getDouble}. */
    public final double getDouble(long index) {
        if (ahead instanceof Block.Doubles known) {
            long at = index - known.first;
            double[] values = known.plain;
            if (Block.isWithin(at, values.length) && state.looksLive()) {
                return values[(int) at];
            }
        }
        return readDouble(index);
    }

    private double readDouble(long index) {
        if (ahead instanceof Block.Doubles known) {
            int at = known.find(index);
            if (at >= 0 && state.looksLive()) {
                return known.values[at];
            }
        }
        ValueReader held = hold("getDouble");
        try {
            Block.Doubles next = readAhead(held, index, true, Block.Doubles::new);
            int at = next == null ? -1 : next.find(index);
            return at >= 0 ? next.values[at] : held.getDouble(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getDecimal}. */
    public final BigDecimal getDecimal(long index) {
        ValueReader held = hold("getDecimal");
        try {
            return held.getDecimal(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getString}. */
    public final String getString(long index) {
        ValueReader held = hold("getString");
        try {
            return held.getString(index);
        } finally {
            state.drop();
        }
    }

    /** See {@link ArrayReader#getBytes}. */
    public final byte[] getBytes(long index) {
        ValueReader held = hold("getBytes");
        try {
            return held.getBytes(index);
        } finally {
            state.drop();
        }
    }

    /** The value as an object, null if it is null; see {@link ArrayReader#getObject} for the classes. */
    public final @Nullable Object getObject(long index) {
        ValueReader held = hold("getObject");
        try {
            return held.getObject(index);
        } finally {
            state.drop();
        }
    }

    /** The block that begins with an index, copied now; null if values are not read in order, or one can't be read. */
    private <B extends Block> @Nullable B readAhead(ValueReader held, long index, boolean values, Block.Kind<B> kind) {
        int size = Block.sizeAhead(ahead, values, index, expected, getLength());
        expected = index + 1;
        if (size <= 1) {
            return null;
        }
        try {
            B next = kind.read(held, new BulkReader(this), index, size);
            ahead = next;
            return next;
        } catch (RuntimeException e) {
            // One of the values, or all: it shows when its turn has come.
            ahead = null;
            return null;
        }
    }

    /** Holds the memory for a getter, which must drop it; waits for the data. */
    final ValueReader hold(String operation) {
        state.hold(operation);
        try {
            ValueReader known = reader;
            if (known == null) {
                awaitReady();
                known = reader(operation, null);
                reader = known;
            }
            return known;
        } catch (Throwable e) {
            state.drop();
            throw e;
        }
    }

    final ValueReader reader(String operation, @Nullable BorrowScope scope) {
        try {
            return newReader(scope);
        } catch (UnreadableDeviceException e) {
            throw new UnreadableDeviceException(operation, e);
        }
    }

    /** The reader of this array. The caller holds the memory, where no scope is given at each use. */
    ValueReader newReader(@Nullable BorrowScope scope) {
        return Readers.of(getData(), scope);
    }

    final void awaitReady() {
        DeviceEvent ready = state.ready();
        if (ready != null && getData().isPartlyHostReadable()) {
            ready.await();
        }
    }
}
