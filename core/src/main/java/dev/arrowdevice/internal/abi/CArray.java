package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowArray} at an address. */
public final class CArray {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.ARRAY.byteSize();

    private static final long LENGTH = CStructLayouts.offset(CStructLayouts.ARRAY, "length");
    private static final long NULL_COUNT = CStructLayouts.offset(CStructLayouts.ARRAY, "null_count");
    private static final long OFFSET = CStructLayouts.offset(CStructLayouts.ARRAY, "offset");
    private static final long N_BUFFERS = CStructLayouts.offset(CStructLayouts.ARRAY, "n_buffers");
    private static final long N_CHILDREN = CStructLayouts.offset(CStructLayouts.ARRAY, "n_children");
    private static final long BUFFERS = CStructLayouts.offset(CStructLayouts.ARRAY, "buffers");
    private static final long CHILDREN = CStructLayouts.offset(CStructLayouts.ARRAY, "children");
    private static final long DICTIONARY = CStructLayouts.offset(CStructLayouts.ARRAY, "dictionary");
    private static final long RELEASE = CStructLayouts.offset(CStructLayouts.ARRAY, "release");
    private static final long PRIVATE_DATA = CStructLayouts.offset(CStructLayouts.ARRAY, "private_data");

    private CArray() {}

    /** {@code length}. */
    public static long length(long struct) {
        return RawMemory.getLong(struct + LENGTH);
    }

    /** Sets {@code length}. */
    public static void setLength(long struct, long value) {
        RawMemory.putLong(struct + LENGTH, value);
    }

    /** {@code null_count}. */
    public static long nullCount(long struct) {
        return RawMemory.getLong(struct + NULL_COUNT);
    }

    /** Sets {@code null_count}. */
    public static void setNullCount(long struct, long value) {
        RawMemory.putLong(struct + NULL_COUNT, value);
    }

    /** {@code offset}. */
    public static long offset(long struct) {
        return RawMemory.getLong(struct + OFFSET);
    }

    /** Sets {@code offset}. */
    public static void setOffset(long struct, long value) {
        RawMemory.putLong(struct + OFFSET, value);
    }

    /** {@code n_buffers}. */
    public static long bufferCount(long struct) {
        return RawMemory.getLong(struct + N_BUFFERS);
    }

    /** Sets {@code n_buffers}. */
    public static void setBufferCount(long struct, long value) {
        RawMemory.putLong(struct + N_BUFFERS, value);
    }

    /** {@code n_children}. */
    public static long childCount(long struct) {
        return RawMemory.getLong(struct + N_CHILDREN);
    }

    /** Sets {@code n_children}. */
    public static void setChildCount(long struct, long value) {
        RawMemory.putLong(struct + N_CHILDREN, value);
    }

    /** {@code buffers}. */
    public static long buffers(long struct) {
        return RawMemory.getLong(struct + BUFFERS);
    }

    /** Sets {@code buffers}. */
    public static void setBuffers(long struct, long value) {
        RawMemory.putLong(struct + BUFFERS, value);
    }

    /** {@code children}. */
    public static long children(long struct) {
        return RawMemory.getLong(struct + CHILDREN);
    }

    /** Sets {@code children}. */
    public static void setChildren(long struct, long value) {
        RawMemory.putLong(struct + CHILDREN, value);
    }

    /** {@code dictionary}. */
    public static long dictionary(long struct) {
        return RawMemory.getLong(struct + DICTIONARY);
    }

    /** Sets {@code dictionary}. */
    public static void setDictionary(long struct, long value) {
        RawMemory.putLong(struct + DICTIONARY, value);
    }

    /** {@code release}. */
    public static long release(long struct) {
        return RawMemory.getLong(struct + RELEASE);
    }

    /** Sets {@code release}. */
    public static void setRelease(long struct, long value) {
        RawMemory.putLong(struct + RELEASE, value);
    }

    /** {@code private_data}. */
    public static long privateData(long struct) {
        return RawMemory.getLong(struct + PRIVATE_DATA);
    }

    /** Sets {@code private_data}. */
    public static void setPrivateData(long struct, long value) {
        RawMemory.putLong(struct + PRIVATE_DATA, value);
    }

    /** The address of a child struct. */
    public static long child(long struct, long index) {
        return RawMemory.getLong(children(struct) + (index << 3));
    }

    /** The address of a buffer. */
    public static long buffer(long struct, long index) {
        return RawMemory.getLong(buffers(struct) + (index << 3));
    }
}
