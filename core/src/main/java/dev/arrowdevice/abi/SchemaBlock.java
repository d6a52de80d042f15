package dev.arrowdevice.abi;

/**
 * The memory behind one exported schema tree: a counter of the structs that are not released yet, then all that their
 * pointers lead to. The last release frees it, so that children can be moved out and outlive their parent.
 */
public final class SchemaBlock {
    /** The bytes at the start of a block that hold the counter. */
    public static final long HEADER_SIZE = 8;

    private SchemaBlock() {}

    /** Allocates a block for a number of structs; their {@code private_data} must be its address. */
    public static long allocate(long byteSize, int structs) {
        long block = CHeap.allocate(byteSize);
        RawMemory.putInt(block, structs);
        return block;
    }

    /** Releases a struct of the block, and with it the children and the dictionary that were not moved away. */
    static void release(long schema) {
        if (CSchema.release(schema) == 0) {
            return;
        }
        long children = CSchema.childCount(schema);
        for (long i = 0; i < children; i++) {
            releaseInner(CSchema.child(schema, i));
        }
        long dictionary = CSchema.dictionary(schema);
        if (dictionary != 0) {
            releaseInner(dictionary);
        }
        long block = CSchema.privateData(schema);
        CSchema.setRelease(schema, 0);
        if (RawMemory.addAndGetInt(block, -1) == 0) {
            CHeap.free(block);
        }
    }

    private static void releaseInner(long schema) {
        if (CSchema.release(schema) == Stubs.RELEASE_SCHEMA) {
            release(schema);
        } else {
            Callbacks.releaseSchema(schema);
        }
    }
}
