package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.HalfFloat;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** Numbers, dates and times as wider ones. Each value is read, widened and written, a block at a time. */
final class WideNumbers {
    private static final int BLOCK = 1024;
    private static final long MILLIS_PER_DAY = 86_400_000;

    private final HostMemory from;
    private final ArrowType type;
    private final long length;
    private final HostMemory to;
    private final ArrowType wider;

    private WideNumbers(ArrayData source, ArrowType wider, DeviceBuffer target) {
        this.type = source.getType().storageType();
        this.from = FixedWidth.from(source, 1, type.layout().bitWidth() / 8);
        this.length = source.getLength();
        this.to = target.memory();
        this.wider = wider;
    }

    /** A buffer of the values of an array in a wider type. */
    static DeviceBuffer widen(ArrayData source, ArrowType wider, Output output) {
        long width = wider.layout().bitWidth() / 8;
        DeviceBuffer target = output.allocate(Math.multiplyExact(source.getLength(), width));
        WideNumbers numbers = new WideNumbers(source, wider, target);
        switch (wider.id()) {
            case FLOAT16:
            case FLOAT32:
            case FLOAT64:
                numbers.floats();
                break;
            case DECIMAL32:
            case DECIMAL64:
            case DECIMAL128:
            case DECIMAL256:
                numbers.decimals((DecimalType) wider);
                break;
            default:
                numbers.integers((int) width);
        }
        return target;
    }

    private void integers(int width) {
        long[] block = new long[BLOCK];
        int[] ints = new int[BLOCK];
        short[] shorts = new short[BLOCK];
        long factor = factor();
        for (long at = 0; at < length; at += BLOCK) {
            int count = (int) Math.min(BLOCK, length - at);
            read(at, count, block);
            switch (width) {
                case 2:
                    for (int i = 0; i < count; i++) {
                        shorts[i] = (short) block[i];
                    }
                    to.put(at << 1, shorts, 0, count);
                    break;
                case 4:
                    for (int i = 0; i < count; i++) {
                        ints[i] = (int) block[i];
                    }
                    to.put(at << 2, ints, 0, count);
                    break;
                default:
                    for (int i = 0; i < count; i++) {
                        block[i] *= factor;
                    }
                    to.put(at << 3, block, 0, count);
            }
        }
    }

    /** What dates and times are multiplied by. A product of 32 bits with one of these fits 64 bits. */
    private long factor() {
        if (type instanceof TimeType time) {
            return ((TimeType) wider).unit().perSecond() / time.unit().perSecond();
        }
        return type.id() == TypeId.DATE32 ? MILLIS_PER_DAY : 1;
    }

    private void floats() {
        boolean isFloat = !type.id().isInteger();
        for (long i = 0; i < length; i++) {
            double value = isFloat ? floating(i) : integer(i);
            switch (wider.id()) {
                case FLOAT16:
                    to.putShort(i << 1, HalfFloat.ofFloat((float) value));
                    break;
                case FLOAT32:
                    to.putFloat(i << 2, (float) value);
                    break;
                default:
                    to.putDouble(i << 3, value);
            }
        }
    }

    private double floating(long index) {
        return type.id() == TypeId.FLOAT16 ? HalfFloat.toFloat(from.getShort(index << 1)) : from.getFloat(index << 2);
    }

    private void decimals(DecimalType target) {
        int words = target.bitWidth() / 32;
        int own = type.layout().bitWidth() / 32;
        int scale = target.scale() - (type instanceof DecimalType decimal ? decimal.scale() : 0);
        int[] number = new int[words];
        for (long i = 0; i < length; i++) {
            if (type instanceof DecimalType) {
                readDecimal(i, own, number);
            } else {
                long value = integer(i);
                boolean negative = value < 0 && type.id() != TypeId.UINT64;
                for (int word = 0; word < words; word++) {
                    number[word] = word < 2 ? (int) (value >> 32 * word) : negative ? -1 : 0;
                }
            }
            multiply(number, scale);
            for (int word = 0; word < words; word++) {
                to.putInt((i * words + place(word, words)) << 2, number[word]);
            }
        }
    }

    /** Reads a decimal into words, the lowest first. */
    private void readDecimal(long index, int own, int[] number) {
        for (int word = 0; word < number.length; word++) {
            number[word] = word < own ? from.getInt((index * own + place(word, own)) << 2) : number[own - 1] >> 31;
        }
    }

    /** Where a word of a number is, in the machine's order. */
    private static int place(int word, int words) {
        return BitSource.LITTLE ? word : words - 1 - word;
    }

    /** Multiplies by a power of ten. That is the same for negative numbers, as two's complement has no carry at its end. */
    private static void multiply(int[] number, int powerOfTen) {
        for (int left = powerOfTen; left > 0; left -= 9) {
            long factor = 1;
            for (int i = Math.min(9, left); i > 0; i--) {
                factor *= 10;
            }
            long carry = 0;
            for (int word = 0; word < number.length; word++) {
                long product = (number[word] & 0xFFFF_FFFFL) * factor + carry;
                number[word] = (int) product;
                carry = product >>> 32;
            }
        }
    }

    private void read(long at, int count, long[] block) {
        for (int i = 0; i < count; i++) {
            block[i] = integer(at + i);
        }
    }

    /** An integer, date or time; an unsigned one of 64 bits as its bits. */
    private long integer(long index) {
        switch (type.id()) {
            case INT8:
                return from.getByte(index);
            case UINT8:
                return from.getByte(index) & 0xFF;
            case INT16:
                return from.getShort(index << 1);
            case UINT16:
                return from.getShort(index << 1) & 0xFFFF;
            case UINT32:
                return from.getInt(index << 2) & 0xFFFF_FFFFL;
            case INT64:
            case UINT64:
                return from.getLong(index << 3);
            default:
                return from.getInt(index << 2);
        }
    }
}
