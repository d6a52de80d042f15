package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Integers;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.function.LongPredicate;

/**
 * Checks fixed-width values whose range is smaller than their bits allow: decimals, times of day, and dates in
 * milliseconds.
 */
final class ValueRanges {
    private static final long MILLIS_PER_DAY = 86_400_000L;

    private ValueRanges() {}

    static void validate(ArrayData array, ArrayBuffers buffers, LongPredicate isValid) {
        ArrowType type = buffers.type();
        if (array.getBufferCount() < 2 || array.buffer(1) == null) {
            return;
        }
        if (type instanceof DecimalType) {
            decimals(array, (DecimalType) type, buffers.memory(1), isValid);
        } else if (type instanceof TimeType) {
            times(array, ((TimeType) type).unit(), buffers.memory(1), isValid);
        } else if (type.id() == TypeId.DATE64) {
            dates(array, buffers.memory(1), isValid);
        }
    }

    /** "Milliseconds …, where the values are evenly divisible by 86400000". */
    private static void dates(ArrayData array, HostMemory values, LongPredicate isValid) {
        for (long i = 0; i < array.getLength(); i++) {
            long position = array.getOffset() + i;
            long value = values.getLong(position * 8);
            if (value % MILLIS_PER_DAY != 0 && isValid.test(position)) {
                throw new InvalidArrayException("the date at index " + i + " is " + value + " ms, no whole day");
            }
        }
    }

    private static void decimals(ArrayData array, DecimalType type, HostMemory values, LongPredicate isValid) {
        int width = type.layout().bitWidth() / 8;
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        byte[] bytes = new byte[width];
        boolean reverse = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        for (long i = 0; i < array.getLength(); i++) {
            long position = array.getOffset() + i;
            if (!isValid.test(position)) {
                continue;
            }
            for (int b = 0; b < width; b++) {
                bytes[b] = values.getByte(position * width + (reverse ? width - 1 - b : b));
            }
            BigInteger value = new BigInteger(bytes);
            if (value.abs().compareTo(limit) >= 0) {
                throw new InvalidArrayException(
                        "the decimal at index " + i + " has more than " + type.precision() + " digits: " + value);
            }
        }
    }

    private static void times(ArrayData array, TimeUnit unit, HostMemory values, LongPredicate isValid) {
        Integers times = new Integers(values, unit.compareTo(TimeUnit.MILLISECOND) > 0 ? TypeId.INT64 : TypeId.INT32);
        long day = 86_400L;
        switch (unit) {
            case MILLISECOND:
                day *= 1_000L;
                break;
            case MICROSECOND:
                day *= 1_000_000L;
                break;
            case NANOSECOND:
                day *= 1_000_000_000L;
                break;
            default:
                break;
        }
        for (long i = 0; i < array.getLength(); i++) {
            long position = array.getOffset() + i;
            long value = times.get(position);
            if ((value < 0 || value >= day) && isValid.test(position)) {
                throw new InvalidArrayException("the time at index " + i + " is " + value + ", not within a day");
            }
        }
    }
}
