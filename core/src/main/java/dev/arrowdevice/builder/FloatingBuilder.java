package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.internal.reading.HalfFloat;
import dev.arrowdevice.spi.ArrayData;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Builds floating point numbers of any width, rounded to the nearest one of the type. */
final class FloatingBuilder extends ArrayBuilder {
    private static final long LARGEST_FLOAT16 = 65504;

    private final StagedValues values;

    FloatingBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.values = new StagedValues(field.type(), memory);
    }

    @Override
    public long getLength() {
        return values.length();
    }

    @Override
    public void append(float value) {
        switch (values.width()) {
            case Double.BYTES -> values.add(Double.doubleToRawLongBits(value));
            case Float.BYTES -> values.add(Float.floatToRawIntBits(value));
            default -> {
                short bits = HalfFloat.ofFloat(value);
                checkFinite((bits & 0x7FFF) == 0x7C00, value);
                values.add(bits);
            }
        }
    }

    @Override
    public void append(double value) {
        if (values.width() == Double.BYTES) {
            values.add(Double.doubleToRawLongBits(value));
            return;
        }
        float nearest = (float) value;
        checkFinite(Float.isInfinite(nearest), value);
        // Rounding twice could miss the nearest float16: a float that was rounded, and has no bits below those of a
        // float16 but the tie, is moved one step back to the side that the number came from.
        if (values.width() == Short.BYTES && nearest != value && (Float.floatToRawIntBits(nearest) & 0xFFF) == 0) {
            nearest = nearest < value ? Math.nextUp(nearest) : Math.nextDown(nearest);
        }
        append(nearest);
    }

    /** A finite number must not become an infinity. */
    private void checkFinite(boolean infinite, double value) {
        if (infinite && !Double.isInfinite(value)) {
            throw place.unfit(Double.toString(value));
        }
    }

    @Override
    public void append(long value) {
        if (!isExact(value)) {
            throw place.fail(value + " is not exact in " + getType());
        }
        append((double) value);
    }

    /** Whether an integer, without its trailing zeros, fits the significand; float16 ends early besides. */
    private boolean isExact(long value) {
        long magnitude = Math.abs(value);
        int bits =
                magnitude == 0 ? 0 : 64 - Long.numberOfLeadingZeros(magnitude) - Long.numberOfTrailingZeros(magnitude);
        return switch (values.width()) {
            case Double.BYTES -> bits <= 53;
            case Float.BYTES -> bits <= 24;
            default -> bits <= 11 && magnitude <= LARGEST_FLOAT16;
        };
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof Double number) {
            append((double) number);
        } else if (value instanceof Float number) {
            append((float) number);
        } else if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            append(((Number) value).longValue());
        } else if (value instanceof BigInteger integer && integer.bitLength() <= 63) {
            append(integer.longValue());
        } else {
            return false;
        }
        return true;
    }

    @Override
    public void appendAll(float[] source, boolean @Nullable [] valid) {
        if (values.width() == Float.BYTES && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(double[] source, boolean @Nullable [] valid) {
        if (values.width() == Double.BYTES && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
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
