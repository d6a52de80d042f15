package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.TypeId;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Integers of any width, signed and unsigned. Also {@code arrow.bool8}: "False is denoted by the value 0. True can be
 * specified using any non-zero value".
 */
final class IntegerEncoding extends NumberEncoding {
    private final boolean isUnsigned64;
    private final boolean takesBooleans;
    private final Place place;

    private IntegerEncoding(long min, long max, boolean takesBooleans, Place place) {
        super(min, max);
        this.isUnsigned64 = min == 0 && max == Long.MAX_VALUE;
        this.takesBooleans = takesBooleans;
        this.place = place;
    }

    static IntegerEncoding of(ArrowType type, Place place) {
        TypeId id = type.storageType().id();
        boolean signed = id == TypeId.INT8 || id == TypeId.INT16 || id == TypeId.INT32 || id == TypeId.INT64;
        int bits = type.layout().bitWidth();
        // Of 64 unsigned bits, those that a long can hold.
        long max = -1L >>> Math.max(1, signed ? 65 - bits : 64 - bits);
        boolean bool8 =
                type instanceof ExtensionType extension && extension.name().equals(ExtensionType.BOOL8);
        return new IntegerEncoding(signed ? ~max : 0, max, bool8, place);
    }

    @Override
    long ofLong(long value) {
        throw place.unfit(Long.toString(value));
    }

    @Override
    long ofUnsigned(long bits) {
        if (!isUnsigned64) {
            throw place.unfit(Long.toUnsignedString(bits));
        }
        return bits;
    }

    @Override
    long ofDouble(double value) {
        throw place.unfit("a floating point number");
    }

    @Override
    @Nullable
    Long bitsOf(Object value) {
        if (value instanceof Long number && number >= min && number <= max) {
            return number;
        } else if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            return bitsOfLong(((Number) value).longValue());
        } else if (value instanceof BigInteger integer) {
            if (integer.bitLength() <= 63) {
                return bitsOfLong(integer.longValue());
            } else if (isUnsigned64 && integer.signum() > 0 && integer.bitLength() == 64) {
                return integer.longValue();
            }
            throw place.unfit(integer.toString());
        }
        return takesBooleans && value instanceof Boolean flag ? Long.valueOf(flag ? 1 : 0) : null;
    }

    @Override
    boolean append(Object value, NumberBuilder target) {
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            target.append(((Number) value).longValue());
        } else if (value instanceof BigInteger integer) {
            if (integer.bitLength() <= 63) {
                target.append(integer.longValue());
            } else if (isUnsigned64 && integer.signum() > 0 && integer.bitLength() == 64) {
                target.add(integer.longValue());
            } else {
                throw place.unfit(integer.toString());
            }
        } else if (takesBooleans && value instanceof Boolean flag) {
            target.add(flag ? 1 : 0);
        } else {
            return false;
        }
        return true;
    }
}
