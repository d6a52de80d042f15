package dev.arrowdevice.internal.validation;

import dev.arrowdevice.spi.HostMemory;

/** Looks at the offsets of a whole array, in loops that the compiler makes one of vectors; where one is wrong, not at which. */
final class Offsets {
    /** So many at a time: the compiler makes vectors of loops over ints only. */
    private static final int BLOCK = 1 << 16;

    private Offsets() {}

    /**
     * Whether the offsets from one position to another, both included, are not negative, never descend, and don't pass a
     * limit.
     */
    static boolean ascend(HostMemory offsets, boolean wide, long from, long end, long limit) {
        boolean fine = wide ? offsets.getLong(from << 3) >= 0 : offsets.getInt(from << 2) >= 0;
        for (long start = from; start < end && fine; start += BLOCK) {
            int count = (int) Math.min(BLOCK, end - start);
            fine = wide
                    ? ascendLongs(offsets, start, count, limit) >= 0
                    : ascendInts(offsets, start, count, (int) Math.min(limit, Integer.MAX_VALUE)) >= 0;
        }
        return fine;
    }

    /** Negative if one is wrong: a negative number has its highest bit set, and differences of others don't overflow. */
    private static int ascendInts(HostMemory offsets, long start, int count, int limit) {
        int signs = 0;
        for (int i = 0; i < count; i++) {
            int before = offsets.getInt((start + i) << 2);
            int offset = offsets.getInt((start + i + 1) << 2);
            signs |= offset | (offset - before) | (limit - offset);
        }
        return signs;
    }

    private static long ascendLongs(HostMemory offsets, long start, int count, long limit) {
        long signs = 0;
        for (int i = 0; i < count; i++) {
            long before = offsets.getLong((start + i) << 3);
            long offset = offsets.getLong((start + i + 1) << 3);
            signs |= offset | (offset - before) | (limit - offset);
        }
        return signs;
    }

    /** Whether no offset between two positions, which must be valid ones, leads into the midst of a character. */
    static boolean beginCharacters(HostMemory offsets, boolean wide, long from, long end, HostMemory text) {
        long size = text.getByteSize();
        for (long i = from; i < end; i++) {
            long offset = wide ? offsets.getLong(i << 3) : offsets.getInt(i << 2);
            if (offset < size && Utf8.isContinuation(text.getByte(offset))) {
                return false;
            }
        }
        return true;
    }
}
