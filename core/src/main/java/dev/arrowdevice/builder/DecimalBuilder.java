package dev.arrowdevice.builder;

import dev.arrowdevice.DecimalType;
import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Builds decimals of 32 to 256 bits. A number is never rounded: it fits exactly or is refused. */
final class DecimalBuilder extends ArrayBuilder {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final int precision;
    private final int scale;
    private final BigInteger limit;
    private final long longLimit;
    private final FixedValues values;

    DecimalBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        DecimalType type = (DecimalType) field.type().storageType();
        this.values = new FixedValues(type, memory);
        this.precision = type.precision();
        this.scale = type.scale();
        this.limit = BigInteger.TEN.pow(precision);
        this.longLimit = precision <= 18 ? limit.longValueExact() : Long.MAX_VALUE;
    }

    @Override
    public long getLength() {
        return values.length();
    }

    @Override
    public void append(long value) {
        throw place.fail(
                "an integer could mean " + value + " or its digits unscaled; append a BigDecimal or appendUnscaled");
    }

    @Override
    public void appendUnscaled(long digits) {
        if (precision <= 18 && (digits >= longLimit || digits <= -longLimit)) {
            throw tooManyDigits(BigDecimal.valueOf(digits, scale));
        }
        put(digits);
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof BigDecimal decimal) {
            appendDecimal(decimal);
        } else if (value instanceof BigInteger integer) {
            appendDecimal(new BigDecimal(integer));
        } else {
            return false;
        }
        return true;
    }

    /** The unscaled digits of a number. Throws if it does not fit. */
    private BigInteger digitsOf(BigDecimal value) {
        // Checked before the digits are made: 1E+1000000 would have a million of them.
        if (value.signum() != 0 && (long) value.precision() - value.scale() > (long) precision - scale) {
            throw tooManyDigits(value);
        }
        BigDecimal scaled = value;
        if (value.scale() != scale) {
            BigDecimal stripped = value.stripTrailingZeros();
            if (stripped.scale() > scale) {
                throw place.fail(value + " has " + stripped.scale() + " digits behind the point, " + getType()
                        + " keeps " + scale + "; round it first");
            }
            scaled = stripped.setScale(scale);
        }
        BigInteger digits = scaled.unscaledValue();
        if (digits.abs().compareTo(limit) >= 0) {
            throw tooManyDigits(value);
        }
        return digits;
    }

    private void appendDecimal(BigDecimal value) {
        BigInteger digits = digitsOf(value);
        if (digits.bitLength() <= 63) {
            appendUnscaled(digits.longValue());
            return;
        }
        int byteWidth = values.width;
        byte[] bytes = digits.toByteArray(); // Big-endian, as few bytes as hold the number and its sign.
        byte[] padded = memory.scratch(byteWidth);
        Arrays.fill(padded, 0, byteWidth - bytes.length, (byte) (digits.signum() < 0 ? -1 : 0));
        System.arraycopy(bytes, 0, padded, byteWidth - bytes.length, bytes.length);
        if (LITTLE_ENDIAN) {
            for (int low = 0, high = byteWidth - 1; low < high; low++, high--) {
                byte swap = padded[low];
                padded[low] = padded[high];
                padded[high] = swap;
            }
        }
        values.roomFor(1).put(values.end(), padded, 0, byteWidth);
        values.added(1);
    }

    private void put(long digits) {
        int byteWidth = values.width;
        HostMemory target = values.roomFor(1);
        long start = values.end();
        if (byteWidth == 4) {
            target.putInt(start, (int) digits);
        } else {
            for (int word = 0; word < byteWidth; word += 8) {
                boolean lowest = word == (LITTLE_ENDIAN ? 0 : byteWidth - 8);
                target.putLong(start + word, lowest ? digits : digits >> 63);
            }
        }
        values.added(1);
    }

    private IllegalArgumentException tooManyDigits(BigDecimal value) {
        long integerDigits = Math.max(0, (long) value.precision() - value.scale());
        return place.fail(value + " has " + integerDigits + " digits before the point, " + getType() + " holds "
                + Math.max(0, precision - scale));
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        if (value instanceof BigDecimal decimal) {
            return digitsOf(decimal);
        }
        return value instanceof BigInteger integer ? digitsOf(new BigDecimal(integer)) : null;
    }

    @Override
    void putNull() {
        values.addNull();
    }

    @Override
    void putEmpty() {
        values.addZero();
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
