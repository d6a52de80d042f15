package dev.arrowdevice.builder;

import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.HalfFloat;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Floating point numbers of any width, rounded to the nearest one of the type. */
final class FloatingEncoding extends NumberEncoding {
    private static final long LARGEST_FLOAT16 = 65504;

    private final TypeId id;
    private final Place place;

    FloatingEncoding(TypeId id, Place place) {
        super(1, 0);
        this.id = id;
        this.place = place;
    }

    @Override
    long ofLong(long value) {
        if (!isExact(value)) {
            throw place.fail(value + " is not exact in " + place.field().type());
        }
        return ofDouble(value);
    }

    /** Whether an integer, without its trailing zeros, fits the significand. For float16 it must also be in range. */
    private boolean isExact(long value) {
        long magnitude = Math.abs(value);
        int bits =
                magnitude == 0 ? 0 : 64 - Long.numberOfLeadingZeros(magnitude) - Long.numberOfTrailingZeros(magnitude);
        return switch (id) {
            case FLOAT64 -> bits <= 53;
            case FLOAT32 -> bits <= 24;
            default -> bits <= 11 && magnitude <= LARGEST_FLOAT16;
        };
    }

    @Override
    long ofUnsigned(long bits) {
        throw place.unfit(Long.toUnsignedString(bits));
    }

    @Override
    long ofDouble(double value) {
        if (id == TypeId.FLOAT64) {
            return Double.doubleToRawLongBits(value);
        }
        float nearest = (float) value;
        checkFinite(Float.isInfinite(nearest), value);
        // Rounding twice could miss the nearest float16: a float that was rounded, and has no bits below those of a
        // float16 but the tie, is moved one step back to the side that the number came from.
        if (id == TypeId.FLOAT16 && nearest != value && (Float.floatToRawIntBits(nearest) & 0xFFF) == 0) {
            nearest = nearest < value ? Math.nextUp(nearest) : Math.nextDown(nearest);
        }
        return ofFloat(nearest);
    }

    @Override
    long ofFloat(float value) {
        if (id == TypeId.FLOAT64) {
            return Double.doubleToRawLongBits(value);
        }
        if (id == TypeId.FLOAT32) {
            return Float.floatToRawIntBits(value);
        }
        short bits = HalfFloat.ofFloat(value);
        checkFinite((bits & 0x7FFF) == 0x7C00, value);
        return bits;
    }

    /** A finite number must not become an infinity. */
    private void checkFinite(boolean infinite, double value) {
        if (infinite && !Double.isInfinite(value)) {
            throw place.unfit(Double.toString(value));
        }
    }

    @Override
    @Nullable
    Long bitsOf(Object value) {
        if (value instanceof Double number) {
            return ofDouble(number);
        } else if (value instanceof Float number) {
            return ofFloat(number);
        } else if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            return bitsOfLong(((Number) value).longValue());
        }
        return value instanceof BigInteger integer && integer.bitLength() <= 63
                ? Long.valueOf(bitsOfLong(integer.longValue()))
                : null;
    }

    @Override
    boolean append(Object value, NumberBuilder target) {
        if (value instanceof Double number) {
            target.append((double) number);
        } else if (value instanceof Float number) {
            target.append((float) number);
        } else if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            target.append(((Number) value).longValue());
        } else if (value instanceof BigInteger integer && integer.bitLength() <= 63) {
            target.append(integer.longValue());
        } else {
            return false;
        }
        return true;
    }
}
