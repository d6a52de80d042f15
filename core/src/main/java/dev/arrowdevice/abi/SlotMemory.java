package dev.arrowdevice.abi;

/**
 * Memory of the C heap for those who have a number of one {@link SlotTable}. The first slots of each stripe keep theirs
 * for the next one: the structs of arrays come and go millions of times a second, and to allocate more than a kilobyte
 * takes longer than all the rest of an export. What is kept is bounded, at some MiB for each thread.
 *
 * <p>May be used from any thread, for one number by one thread at a time: as long as it is in use, the slot is its owner's.
 */
public final class SlotMemory {
    /** How many slots of each stripe keep their memory. */
    private static final int KEEPING = 64;
    /** The largest block that is kept, in bytes: the structs of a batch of 150 columns. */
    private static final long LARGEST = 16L << 10;

    private static final long SMALLEST = 128;

    /** For each stripe the address and the size of what its slots keep. */
    private final long[][] kept = new long[SlotTable.STRIPES][2 * KEEPING];

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
        if (slot >= KEEPING || byteSize > LARGEST) {
            return CHeap.allocate(byteSize);
        }
        long[] blocks = kept[SlotTable.stripe(number)];
        long size = blocks[2 * slot + 1];
        return size >= byteSize ? blocks[2 * slot] : grow(blocks, slot, byteSize);
    }

    /** To the next power of two, so that growing batches don't cost an allocation each. */
    private static long grow(long[] blocks, int slot, long byteSize) {
        long size = Math.max(SMALLEST, Long.highestOneBit(byteSize - 1) << 1);
        long block = CHeap.allocate(size);
        if (blocks[2 * slot] != 0) {
            CHeap.free(blocks[2 * slot], blocks[2 * slot + 1]);
        }
        blocks[2 * slot] = block;
        blocks[2 * slot + 1] = size;
        return block;
    }

    /** Gives memory back, before the number is; with the arguments of {@link #allocate} and its result. */
    public void free(long number, long byteSize, long address) {
        if (SlotTable.slot(number) >= KEEPING || byteSize > LARGEST) {
            CHeap.free(address, byteSize);
        }
    }
}
