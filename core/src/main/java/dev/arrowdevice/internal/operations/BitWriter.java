package dev.arrowdevice.internal.operations;

import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Writes a bitmap from its first bit on, and counts the ones. */
final class BitWriter {
    private final HostMemory target;
    private long at;
    private long word;
    private int filled;
    private long ones;

    /** @param target memory of whole words */
    BitWriter(HostMemory target) {
        this.target = target;
    }

    /** Appends the lowest bits of a word, whose other bits are 0. The count is from 1 to 64. */
    void append(long bits, int count) {
        ones += Long.bitCount(bits);
        word |= bits << filled;
        int free = 64 - filled;
        if (count < free) {
            filled += count;
            return;
        }
        target.putLong(at, BitSource.order(word));
        at += 8;
        word = free == 64 ? 0 : bits >>> free;
        filled = count - free;
    }

    /** Appends bits of another bitmap, or ones if there is no bitmap. */
    void append(@Nullable BitSource source, long from, long count) {
        for (long i = 0; i < count; i += 64) {
            int size = (int) Math.min(64, count - i);
            append(source == null ? BitSource.mask(size) : source.word(from + i, size), size);
        }
    }

    /** Appends a bit for each position: the one of another bitmap, 1 if there is no bitmap, 0 for a missing value. */
    void append(@Nullable BitSource source, long[] positions, int count) {
        for (int from = 0; from < count; from += 64) {
            int size = Math.min(64, count - from);
            long bits = 0;
            for (int i = 0; i < size; i++) {
                long position = positions[from + i];
                long bit = position < 0 ? 0 : source == null ? 1 : source.bit(position);
                bits |= bit << i;
            }
            append(bits, size);
        }
    }

    /** Writes what is left, and returns the number of ones. */
    long finish() {
        if (filled > 0) {
            target.putLong(at, BitSource.order(word));
        }
        return ones;
    }
}
