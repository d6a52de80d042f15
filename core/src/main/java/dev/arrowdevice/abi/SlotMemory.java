package dev.arrowdevice.abi;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory of the C heap for those who have a number of one {@link SlotTable}. A slot keeps its memory for the next one: the
 * structs of arrays come and go millions of times a second, and to allocate more than a kilobyte takes longer than all the
 * rest of an export. What is kept is bounded: large blocks in the first slots of each stripe only, some MiB for each
 * thread, and in all others {@value #SMALL} bytes.
 *
 * <p>May be used from any thread, for one number by one thread at a time: as long as it is in use, the slot is its owner's.
 */
public final class SlotMemory {
    /** How many slots of each stripe keep large blocks. */
    private static final int KEEPING = 64;
    /** The largest block that is kept, in bytes: the structs of a batch of 150 columns. */
    private static final long LARGE = 16L << 10;
    /** What every slot keeps, in bytes: enough for a struct, or for what that of a list points to. */
    private static final long SMALL = 128;

    /** For each chunk of each stripe, once it is used, the address and the size of what its slots keep. */
    private final AtomicReferenceArray<long[]> kept = new AtomicReferenceArray<>(SlotTable.STRIPES * SlotTable.CHUNKS);

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
        long[] blocks = blocks(SlotTable.stripe(number) * SlotTable.CHUNKS + SlotTable.chunkOf(slot), slot);
        int at = 2 * SlotTable.index(slot);
        return blocks[at + 1] >= byteSize ? blocks[at] : grow(blocks, at, byteSize);
    }

    private static boolean isKept(int slot, long byteSize) {
        return byteSize <= (slot < KEEPING ? LARGE : SMALL);
    }

    private long[] blocks(int chunk, int slot) {
        long[] blocks = kept.get(chunk);
        if (blocks == null) {
            kept.compareAndSet(chunk, null, new long[2 * SlotTable.chunkSize(slot)]);
            blocks = kept.get(chunk);
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
}
