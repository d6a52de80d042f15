package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.spi.ArrayData;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Builds integers of any width, signed and unsigned: each append is a check of the range and a store. Also
 * {@code arrow.bool8}: "False is denoted by the value 0. True can be specified using any non-zero value".
 */
final class IntegerBuilder extends ArrayBuilder {
    /** The smallest value. */
    private final long min;

    /** The largest value that a long can hold. */
    private final long max;

    private final boolean takesBooleans;
    private final StagedValues values;

    IntegerBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean takesBooleans) {
        super(field, memory, parent);
        this.values = new StagedValues(field.type(), memory);
        this.takesBooleans = takesBooleans;
        TypeId id = field.type().storageType().id();
        boolean signed = id == TypeId.INT8 || id == TypeId.INT16 || id == TypeId.INT32 || id == TypeId.INT64;
        int bits = values.width() * 8;
        this.min = signed ? -1L << (bits - 1) : 0;
        this.max = signed ? ~min : -1L >>> Math.max(1, 64 - bits);
    }

    /** The largest value, as far as a long can hold it. */
    long max() {
        return max;
    }

    @Override
    public long getLength() {
        return values.length();
    }

    @Override
    public void append(boolean value) {
        if (!takesBooleans) {
            throw place.unfit("a boolean");
        }
        values.add(value ? 1 : 0);
    }

    @Override
    public void append(int value) {
        if (value < min || value > max) {
            throw outOfRange(value);
        }
        values.add(value);
    }

    @Override
    public void append(long value) {
        if (value < min || value > max) {
            throw outOfRange(value);
        }
        values.add(value);
    }

    @Override
    public void appendUnsigned(long bits) {
        if (bits < 0 && !isUnsigned64()) {
            throw place.unfit(Long.toUnsignedString(bits));
        }
        if (bits < 0) {
            values.add(bits);
        } else {
            append(bits);
        }
    }

    private boolean isUnsigned64() {
        return min == 0 && max == Long.MAX_VALUE;
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            append(((Number) value).longValue());
        } else if (value instanceof BigInteger integer) {
            appendInteger(integer);
        } else if (takesBooleans && value instanceof Boolean flag) {
            append((boolean) flag);
        } else {
            return false;
        }
        return true;
    }

    private void appendInteger(BigInteger value) {
        if (value.bitLength() <= 63) {
            append(value.longValue());
        } else if (isUnsigned64() && value.signum() > 0 && value.bitLength() == 64) {
            values.add(value.longValue());
        } else {
            throw outOfRange(value);
        }
    }

    private IllegalArgumentException outOfRange(Object value) {
        return place.unfit(value.toString());
    }

    @Override
    public void appendAll(byte[] source, boolean @Nullable [] valid) {
        if (isSigned(Byte.BYTES) && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(short[] source, boolean @Nullable [] valid) {
        if (isSigned(Short.BYTES) && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(int[] source, boolean @Nullable [] valid) {
        if (isSigned(Integer.BYTES) && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(long[] source, boolean @Nullable [] valid) {
        if (isSigned(Long.BYTES) && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    private boolean isSigned(int width) {
        return min < 0 && values.width() == width;
    }

    @Override
    void putNull() {
        values.addNull();
    }

    @Override
    void putEmpty() {
        values.add(0);
    }

    @Override
    void makeRoom(long elements) {
        values.reserve(elements);
    }

    @Override
    ArrayData build() {
        return data(values.nullCount(), values.finish());
    }

    @Override
    void reset() {
        values.reset();
    }
}
