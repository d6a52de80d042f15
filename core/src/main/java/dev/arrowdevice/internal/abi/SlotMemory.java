package dev.arrowdevice.internal.abi;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory on the C heap for the objects of a {@link SlotTable}, by their numbers. A slot keeps its memory for its next
 * object, because the structs of arrays come and go millions of times a second, and allocating more than a kilobyte
 * takes longer than the rest of an export. The memory that is kept is bounded. Only the first slots of each stripe keep
 * large blocks, some MiB for each thread. All other slots that were used keep one block of {@value #TINY} bytes and one
 * of {@value #SMALL}.
 *
 * <p>Those small blocks matter if there are more objects than the processor's caches have room for. So they are in
 * rows: the address of a block is computed and not read, and two blocks of the smaller size share a line.
 *
 * <p>May be used from any thread, but for one number by one thread at a time: while a number is in use, its slot
 * belongs to its owner.
 */
public final class SlotMemory {
    /** The number of slots of each stripe that keep large blocks. */
    private static final int KEEPING = 64;
    /** The largest block that is kept, in bytes: the structs of a batch of 150 columns. */
    private static final long LARGE = 16L << 10;
    /** The larger size in rows, in bytes: enough for a struct, or for what the struct of a list points to. */
    private static final long SMALL = 128;
    /** The smaller size in rows, in bytes: enough for what the struct of a primitive or string array points to. */
    private static final long TINY = 32;

    /** For each stripe in use, the addresses and the sizes of the blocks of its first slots. */
    private final AtomicReferenceArray<long[]> kept = new AtomicReferenceArray<>(SlotTable.STRIPES);

    private final Rows small = new Rows(SMALL);
    private final Rows tiny = new Rows(TINY);

    /**
     * Allocates uninitialised memory.
     *
     * @param number the caller's number
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
        return CHeap.REUSE && byteSize <= (slot < KEEPING ? LARGE : SMALL);
    }

    private long[] blocks(int stripe) {
        long[] blocks = kept.get(stripe);
        if (blocks == null) {
            kept.compareAndSet(stripe, null, new long[2 * KEEPING]);
            blocks = kept.get(stripe);
        }
        return blocks;
    }

    /** Grows to the next power of two, so that growing batches don't cost an allocation each. */
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

    /** Frees memory, before the number is removed. The parameters are those of {@link #allocate} and its result. */
    public void free(long number, long byteSize, long address) {
        if (!isKept(SlotTable.slot(number), byteSize)) {
            CHeap.free(address, byteSize);
        }
    }

    /**
     * Blocks of one size, side by side, for all slots of a chunk. They are allocated with the first use of the chunk;
     * the system provides pages when they are written.
     */
    private static final class Rows {
        /** The size of a line of the processor's caches, in bytes. No block is in more lines than necessary. */
        private static final long LINE = 64;

        private final long blockSize;
        /** The address of the row of each chunk of each stripe, if it is in use. */
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
