package dev.arrowdevice.internal.abi;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory of the C heap for those who have a number of one {@link SlotTable}. A slot keeps its memory for the next one: the
 * structs of arrays come and go millions of times a second, and to allocate more than a kilobyte takes longer than all the
 * rest of an export. What is kept is bounded: large blocks in the first slots of each stripe only, some MiB for each
 * thread, and for all others, once they are used, a block of {@value #TINY} bytes and one of {@value #SMALL}.
 *
 * <p>Those others matter where so many objects are there that the processor's caches don't hold what belongs to them. So
 * their blocks lie in rows: where one lies is computed instead of read, and two of the smaller size share a line.
 *
 * <p>May be used from any thread, for one number by one thread at a time: as long as it is in use, the slot is its owner's.
 */
public final class SlotMemory {
    /** How many slots of each stripe keep large blocks. */
    private static final int KEEPING = 64;
    /** The largest block that is kept, in bytes: the structs of a batch of 150 columns. */
    private static final long LARGE = 16L << 10;
    /** The larger size in rows, in bytes: enough for a struct, or for what that of a list points to. */
    private static final long SMALL = 128;
    /** The smaller size in rows, in bytes: enough for what the struct of numbers or texts points to. */
    private static final long TINY = 32;

    /** For each stripe, once it is used, the address and the size of what its first slots keep. */
    private final AtomicReferenceArray<long[]> kept = new AtomicReferenceArray<>(SlotTable.STRIPES);

    private final Rows small = new Rows(SMALL);
    private final Rows tiny = new Rows(TINY);

    /**
     * Allocates uninitialised memory.
     *
     * @param number the number that the caller has
     * @param byteSize the size in bytes, above 0
     * @return the address, aligned for every C type
     * @throws OutOfMemoryError if the C heap has no room
     */
    public long allocate(long number, long byteSize) {
        int slot = SlotTable.slot(number);
        if (!isKept(slot, byteSize)) {
            return CHeap.allocate(byteSize);
        }
        int stripe = SlotTable.stripe(number);
        if (slot >= KEEPING) {
            return (byteSize <= TINY ? tiny : small).block(stripe, slot);
        }
        long[] blocks = blocks(stripe);
        return blocks[2 * slot + 1] >= byteSize ? blocks[2 * slot] : grow(blocks, 2 * slot, byteSize);
    }

    private static boolean isKept(int slot, long byteSize) {
        return byteSize <= (slot < KEEPING ? LARGE : SMALL);
    }

    private long[] blocks(int stripe) {
        long[] blocks = kept.get(stripe);
        if (blocks == null) {
            kept.compareAndSet(stripe, null, new long[2 * KEEPING]);
            blocks = kept.get(stripe);
        }
        return blocks;
    }

    /** To the next power of two, so that growing batches don't cost an allocation each. */
    private static long grow(long[] blocks, int at, long byteSize) {
        long size = Math.max(SMALL, Long.highestOneBit(byteSize - 1) << 1);
        long block = CHeap.allocate(size);
        if (blocks[at] != 0) {
            CHeap.free(blocks[at], blocks[at + 1]);
        }
        blocks[at] = block;
        blocks[at + 1] = size;
        return block;
    }

    /** Gives memory back, before the number is; with the arguments of {@link #allocate} and its result. */
    public void free(long number, long byteSize, long address) {
        if (!isKept(SlotTable.slot(number), byteSize)) {
            CHeap.free(address, byteSize);
        }
    }

    /** Blocks of one size, side by side, for all slots of a chunk once one is used. The system gives pages as they are written. */
    private static final class Rows {
        /** A line of the processor's caches, in bytes. No block lies in one more than it must. */
        private static final long LINE = 64;

        private final long blockSize;
        /** For each chunk of each stripe where its row begins, once it is used. */
        private final AtomicLongArray rows = new AtomicLongArray(SlotTable.STRIPES * SlotTable.CHUNKS);

        Rows(long blockSize) {
            this.blockSize = blockSize;
        }

        long block(int stripe, int slot) {
            int chunk = stripe * SlotTable.CHUNKS + SlotTable.chunkOf(slot);
            long row = rows.get(chunk);
            return (row != 0 ? row : newRow(chunk, slot)) + blockSize * SlotTable.index(slot);
        }

        private long newRow(int chunk, int slot) {
            long allocated = CHeap.allocate(blockSize * SlotTable.chunkSize(slot) + LINE);
            if (!rows.compareAndSet(chunk, 0, (allocated + LINE - 1) & -LINE)) {
                CHeap.free(allocated, blockSize * SlotTable.chunkSize(slot) + LINE);
            }
            return rows.get(chunk);
        }
    }
}
