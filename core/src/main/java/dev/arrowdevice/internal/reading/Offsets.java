package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.HostMemory;

/** Offsets or sizes of 32 or 64 bits, by position. */
public final class Offsets {
    /** The number of offsets to check at a time: the compiler makes vectors only of loops over ints. */
    private static final int BLOCK = 1 << 16;

    private final HostMemory memory;
    private final boolean wide;

    public Offsets(HostMemory memory, boolean wide) {
        this.memory = memory;
        this.wide = wide;
    }

    public long get(long position) {
        return wide ? memory.getLong(position << 3) : memory.getInt(position << 2);
    }

    /** Writes a range of offsets, each less by {@code first}, to another memory, which may be this one. */
    public void rebase(long position, long count, long first, HostMemory target, long at) {
        for (long i = 0; i < count; i++) {
            long rebased = get(position + i) - first;
            if (wide) {
                target.putLong(at + (i << 3), rebased);
            } else {
                target.putInt(at + (i << 2), (int) rebased);
            }
        }
    }

    /**
     * Whether the offsets from one position to another, both included, are not negative, never descend, and don't
     * exceed a limit. It does not say which offset is wrong, and so is one loop of vectors.
     */
    public boolean ascend(long from, long end, long limit) {
        boolean fine = get(from) >= 0;
        for (long start = from; start < end && fine; start += BLOCK) {
            int count = (int) Math.min(BLOCK, end - start);
            fine = wide
                    ? ascendLongs(memory, start, count, limit) >= 0
                    : ascendInts(memory, start, count, (int) Math.min(limit, Integer.MAX_VALUE)) >= 0;
        }
        return fine;
    }

    /**
     * Negative if an offset is wrong: a negative number has its highest bit set, and differences of the others don't
     * overflow.
     */
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
}
