package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.function.LongPredicate;

/** Checks fixed-width values that have a range narrower than their bits: decimals and times of day. */
final class ValueRanges {
    private ValueRanges() {}

    static void validate(ArrayData array, LongPredicate isValid) {
        ArrowType type = array.getType().storageType();
        DeviceBuffer buffer = array.getBufferCount() < 2 ? null : array.buffer(1);
        if (buffer == null) {
            return;
        }
        if (type instanceof DecimalType) {
            decimals(array, (DecimalType) type, buffer.memory(), isValid);
        } else if (type instanceof TimeType) {
            times(array, ((TimeType) type).unit(), buffer.memory(), isValid);
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
        boolean wide = array.getType().storageType().layout().bitWidth() == 64;
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
            long value = wide ? values.getLong(position * 8) : values.getInt(position * 4);
            if ((value < 0 || value >= day) && isValid.test(position)) {
                throw new InvalidArrayException("the time at index " + i + " is " + value + ", not within a day");
            }
        }
    }
}
