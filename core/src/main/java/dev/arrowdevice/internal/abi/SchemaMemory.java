package dev.arrowdevice.internal.abi;

/**
 * The memory of one exported schema tree: a counter of the structs that are not released yet, then everything that
 * their pointers point to. The last release frees it. So children can be moved out and outlive their parent.
 */
public final class SchemaMemory {
    /** The size of the start of a block, which has the counter and the size of the block. */
    public static final long HEADER_SIZE = 16;

    private static final long BLOCK_SIZE = 8;

    private SchemaMemory() {}

    /** Allocates a block for a number of structs. Their {@code private_data} must be its address. */
    public static long allocate(long byteSize, int structs) {
        long block = CHeap.allocate(byteSize);
        OutstandingExports.SCHEMAS.increment();
        RawMemory.putInt(block, structs);
        RawMemory.putLong(block + BLOCK_SIZE, byteSize);
        return block;
    }

    /** Releases a struct of the block, with the children and the dictionary that were not moved away. */
    static void release(long schema) {
        if (CSchema.release(schema) == 0) {
            return;
        }
        long block = CSchema.privateData(schema);
        int released = releaseTree(schema, block);
        if (RawMemory.addAndGetInt(block, -released) == 0) {
            CHeap.free(block, RawMemory.getLong(block + BLOCK_SIZE));
            OutstandingExports.RELEASED_SCHEMAS.increment();
        }
    }

    /** Marks a struct and those below it released. Returns the number of them that belong to the block. */
    private static int releaseTree(long schema, long block) {
        int released = 1;
        long children = CSchema.childCount(schema);
        for (long i = 0; i < children; i++) {
            released += releaseInner(CSchema.child(schema, i), block);
        }
        long dictionary = CSchema.dictionary(schema);
        if (dictionary != 0) {
            released += releaseInner(dictionary, block);
        }
        CSchema.setRelease(schema, 0);
        return released;
    }

    private static int releaseInner(long schema, long block) {
        if (CSchema.release(schema) == ArrayUpcalls.RELEASE_SCHEMA && CSchema.privateData(schema) == block) {
            return releaseTree(schema, block);
        }
        ForeignCallbacks.releaseSchema(schema);
        return 0;
    }
}
