package dev.arrowdevice.internal.operations;

import dev.arrowdevice.spi.HostMemory;
import java.nio.ByteOrder;

/** Reads a bitmap by words of 64 bits, from any bit on. */
final class BitSource {
    static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final HostMemory memory;
    private final long offset;

    /** The last byte from which nine bytes can be read. */
    private final long lastWide;

    /** @param offset the bit that is index 0 */
    BitSource(HostMemory memory, long offset) {
        this.memory = memory;
        this.offset = offset;
        this.lastWide = memory.getByteSize() - 9;
    }

    /** Bits from an index on: the first one is the lowest. Bits above the count are 0. The count is from 1 to 64. */
    long word(long index, int count) {
        long bit = offset + index;
        long at = bit >> 3;
        int shift = (int) (bit & 7);
        long word;
        if (at <= lastWide) {
            word = order(memory.getLong(at)) >>> shift;
            if (shift != 0) {
                word |= (memory.getByte(at + 8) & 0xFFL) << (64 - shift);
            }
        } else {
            word = (memory.getByte(at) & 0xFFL) >>> shift;
            for (int filled = 8 - shift; filled < count; filled += 8) {
                word |= (memory.getByte(++at) & 0xFFL) << filled;
            }
        }
        return word & mask(count);
    }

    /** One bit: 0 or 1. */
    long bit(long index) {
        long bit = offset + index;
        return memory.getByte(bit >> 3) >> (bit & 7) & 1;
    }

    /** Ones in the lowest {@code count} bits. The count is from 1 to 64. */
    static long mask(int count) {
        return -1L >>> (64 - count);
    }

    /** A word of memory as a number whose lowest bit is the first one, or the reverse. */
    static long order(long word) {
        return LITTLE ? word : Long.reverseBytes(word);
    }
}
