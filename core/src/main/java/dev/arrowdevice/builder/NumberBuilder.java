package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Builds all types whose values are numbers of one, two, four or eight bytes: integers, floating point numbers, dates and
 * times. A single append must cost next to nothing. So values and their nulls first go to a small block on the heap, and
 * from there to memory, a block at a time. A store to an array is several times cheaper than one to checked native memory.
 *
 * <p>The block, its end and the range of integers are fields of the builder itself. In an object of their own, each append
 * would read one more reference and take half as long again. All work that is not done for each value is in other classes.
 */
final class NumberBuilder extends ArrayBuilder {
    /** The number of values in a block. */
    static final int BLOCK = 512;

    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final byte[] NO_NULLS = {};

    private final NumberEncoding encoding;
    private final FixedValues values;
    private final int width;
    private final boolean isFloat32;
    private final boolean isFloat64;

    /** The integers that stand for themselves, as {@link NumberEncoding} says. */
    private final long min;

    private final long max;

    /** The block of numbers of at most four bytes, whose upper bytes are ignored. Empty before the first number. */
    private int[] ints = NO_INTS;

    /** The block of numbers of eight bytes. Empty before the first number. */
    private long[] longs = NO_LONGS;

    /** The block of numbers of four bytes, if each int stands for itself, else empty. So an append needs one check. */
    private int[] anyInts = NO_INTS;

    /** The number of values in the block. They come after those in memory. */
    private int staged;

    /** The validity of the block. All bits are set if nothing is null. */
    private byte[] stagedValidity = NO_NULLS;

    private int stagedNulls;

    NumberBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.encoding = NumberEncoding.of(field, place);
        this.values = new FixedValues(field.type(), memory);
        this.width = values.width;
        TypeId id = field.type().storageType().id();
        this.isFloat32 = id == TypeId.FLOAT32;
        this.isFloat64 = id == TypeId.FLOAT64;
        this.min = encoding.min;
        this.max = encoding.max;
    }

    /** The largest integer that stands for itself. */
    long max() {
        return max;
    }

    @Override
    public long getLength() {
        return values.length() + staged;
    }

    @Override
    public void append(int value) {
        int at = staged;
        if (at < anyInts.length) {
            anyInts[at] = value;
            staged = at + 1;
        } else {
            append((long) value);
        }
    }

    @Override
    public void append(long value) {
        int at = staged;
        if (value < min || value > max) {
            add(encoding.ofLong(value));
        } else if (at >= longs.length) {
            add(value);
        } else {
            longs[at] = value;
            staged = at + 1;
        }
    }

    @Override
    public void append(float value) {
        add(isFloat32 ? Float.floatToRawIntBits(value) : encoding.ofFloat(value));
    }

    @Override
    public void append(double value) {
        add(isFloat64 ? Double.doubleToRawLongBits(value) : encoding.ofDouble(value));
    }

    @Override
    public void appendUnsigned(long bits) {
        if (bits < 0) {
            add(encoding.ofUnsigned(bits));
        } else {
            append(bits);
        }
    }

    @Override
    boolean appendValue(Object value) {
        return encoding.append(value, this);
    }

    /** Appends the bits of a number. Those above its width are ignored. */
    void add(long bits) {
        int at = staged;
        if (at < longs.length) {
            longs[at] = bits;
        } else {
            if (at >= ints.length) {
                at = makeBlockRoom();
            }
            if (width == Long.BYTES) {
                longs[at] = bits;
            } else {
                ints[at] = (int) bits;
            }
        }
        staged = at + 1;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        return encoding.bitsOf(value);
    }

    @Override
    void putNull() {
        int at = staged;
        if (at == (width == Long.BYTES ? longs.length : ints.length)) {
            at = makeBlockRoom();
        }
        if (width == Long.BYTES) {
            longs[at] = 0;
        } else {
            ints[at] = 0;
        }
        if (stagedValidity.length == 0) {
            allocateValidity();
        }
        stagedValidity[at >> 3] &= (byte) ~(1 << (at & 7));
        stagedNulls++;
        staged = at + 1;
    }

    /** Makes sure that the next value needs no memory. */
    void makeRoomForNext() {
        if (staged == (width == Long.BYTES ? longs.length : ints.length)) {
            makeBlockRoom();
        }
    }

    private void allocateValidity() {
        stagedValidity = new byte[BLOCK / 8];
        Arrays.fill(stagedValidity, (byte) -1);
    }

    @Override
    void putEmpty() {
        add(0);
    }

    /** Makes room in a full block, and returns the index of the next value in it. */
    private int makeBlockRoom() {
        memory.requireOpen("append");
        flush();
        if (width == Long.BYTES && longs.length == 0) {
            longs = new long[BLOCK];
        } else if (width != Long.BYTES && ints.length == 0) {
            ints = new int[BLOCK];
            anyInts = width == Integer.BYTES && min <= Integer.MIN_VALUE && max >= Integer.MAX_VALUE ? ints : NO_INTS;
        }
        return 0;
    }

    /** Moves the block's values to memory. */
    private void flush() {
        int count = staged;
        if (count > 0) {
            write(values.roomFor(count), values.end(), count);
            values.added(count, stagedValidity, stagedNulls);
            if (stagedNulls > 0) {
                Arrays.fill(stagedValidity, (byte) -1);
                stagedNulls = 0;
            }
            staged = 0;
        }
    }

    private void write(HostMemory target, long at, int count) {
        switch (width) {
            case 1 -> {
                byte[] narrow = memory.scratch(count);
                for (int i = 0; i < count; i++) {
                    narrow[i] = (byte) ints[i];
                }
                target.put(at, narrow, 0, count);
            }
            case 2 -> {
                short[] narrow = memory.shortScratch(count);
                for (int i = 0; i < count; i++) {
                    narrow[i] = (short) ints[i];
                }
                target.put(at, narrow, 0, count);
            }
            case 4 -> target.put(at, ints, 0, count);
            default -> target.put(at, longs, 0, count);
        }
    }

    @Override
    public void appendAll(byte[] source, boolean @Nullable [] valid) {
        if (width == Byte.BYTES && min == Byte.MIN_VALUE && Bulk.isCopy(place, source.length, valid)) {
            flush();
            values.roomFor(source.length).put(values.end(), source, 0, source.length);
            values.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(short[] source, boolean @Nullable [] valid) {
        if (width == Short.BYTES && min == Short.MIN_VALUE && Bulk.isCopy(place, source.length, valid)) {
            flush();
            values.roomFor(source.length).put(values.end(), source, 0, source.length);
            values.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(int[] source, boolean @Nullable [] valid) {
        if (width == Integer.BYTES && min == Integer.MIN_VALUE && Bulk.isCopy(place, source.length, valid)) {
            flush();
            values.roomFor(source.length).put(values.end(), source, 0, source.length);
            values.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(long[] source, boolean @Nullable [] valid) {
        if (width == Long.BYTES && min == Long.MIN_VALUE && Bulk.isCopy(place, source.length, valid)) {
            flush();
            values.roomFor(source.length).put(values.end(), source, 0, source.length);
            values.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(float[] source, boolean @Nullable [] valid) {
        if (isFloat32 && Bulk.isCopy(place, source.length, valid)) {
            flush();
            values.roomFor(source.length).put(values.end(), source, 0, source.length);
            values.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(double[] source, boolean @Nullable [] valid) {
        if (isFloat64 && Bulk.isCopy(place, source.length, valid)) {
            flush();
            values.roomFor(source.length).put(values.end(), source, 0, source.length);
            values.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    void makeRoom(long elements) {
        values.reserve(elements);
    }

    @Override
    ArrayData build() {
        flush();
        return data(values.nullCount(), values.finish());
    }

    @Override
    void reset() {
        values.reset();
        ints = NO_INTS;
        anyInts = NO_INTS;
        longs = NO_LONGS;
        staged = 0;
        stagedValidity = NO_NULLS;
        stagedNulls = 0;
    }
}
