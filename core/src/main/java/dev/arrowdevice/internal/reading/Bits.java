package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.HostMemory;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Bitmaps in the bit order of the columnar format: least significant bit first. */
public final class Bits {
    private Bits() {}

    /** The number of bytes for a number of bits. */
    public static long byteSize(long bits) {
        return (bits >> 3) + ((bits & 7) == 0 ? 0 : 1);
    }

    /** Whether a bit is set. */
    public static boolean isSet(HostMemory bitmap, long index) {
        return (bitmap.getByte(index >> 3) >> (index & 7) & 1) != 0;
    }

    /** Whether the element at a position is valid, by a validity bitmap or because there is none. */
    public static boolean isValid(@Nullable HostMemory validity, long position) {
        return validity == null || isSet(validity, position);
    }

    /** Sets a bit. */
    public static void set(HostMemory bitmap, long index) {
        long at = index >> 3;
        bitmap.putByte(at, (byte) (bitmap.getByte(at) | 1 << (index & 7)));
    }

    /** Clears a bit. */
    public static void clear(HostMemory bitmap, long index) {
        long at = index >> 3;
        bitmap.putByte(at, (byte) (bitmap.getByte(at) & ~(1 << (index & 7))));
    }

    /** Sets a range of bits to one value. */
    public static void fill(HostMemory bitmap, long from, long count, boolean value) {
        long index = from;
        long end = from + count;
        while (index < end && (index & 7) != 0) {
            put(bitmap, index++, value);
        }
        long bytes = (end - index) >> 3;
        if (bytes > 0) {
            bitmap.fill(index >> 3, bytes, (byte) (value ? -1 : 0));
            index += bytes << 3;
        }
        while (index < end) {
            put(bitmap, index++, value);
        }
    }

    /** The number of set bits in a range. */
    public static long countSet(HostMemory bitmap, long from, long count) {
        long index = from;
        long end = from + count;
        long set = 0;
        while (index < end && (index & 7) != 0) {
            set += isSet(bitmap, index++) ? 1 : 0;
        }
        for (; end - index >= 64; index += 64) {
            set += Long.bitCount(bitmap.getLong(index >> 3));
        }
        while (index < end) {
            set += isSet(bitmap, index++) ? 1 : 0;
        }
        return set;
    }

    /** Copies a range of bits to the start of another bitmap. */
    public static void copy(HostMemory from, long fromIndex, HostMemory to, long count) {
        long index = 0;
        int shift = (int) (fromIndex & 7);
        long source = fromIndex >> 3;
        // Eight target bytes may need nine source bytes, so the rest is done bit by bit.
        for (; count - index >= 72; index += 64, source += 8) {
            long word = littleEndian(from.getLong(source));
            if (shift != 0) {
                word = word >>> shift | (from.getByte(source + 8) & 0xFFL) << (64 - shift);
            }
            to.putLong(index >> 3, littleEndian(word));
        }
        while (index < count) {
            put(to, index, isSet(from, fromIndex + index));
            index++;
        }
    }

    private static long littleEndian(long word) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? word : Long.reverseBytes(word);
    }

    private static void put(HostMemory bitmap, long index, boolean value) {
        if (value) {
            set(bitmap, index);
        } else {
            clear(bitmap, index);
        }
    }
}
