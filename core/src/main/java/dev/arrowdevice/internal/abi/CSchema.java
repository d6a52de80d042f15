package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowSchema} at an address. */
public final class CSchema {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.SCHEMA.byteSize();

    private static final long FORMAT = CStructLayouts.offset(CStructLayouts.SCHEMA, "format");
    private static final long NAME = CStructLayouts.offset(CStructLayouts.SCHEMA, "name");
    private static final long METADATA = CStructLayouts.offset(CStructLayouts.SCHEMA, "metadata");
    private static final long FLAGS = CStructLayouts.offset(CStructLayouts.SCHEMA, "flags");
    private static final long N_CHILDREN = CStructLayouts.offset(CStructLayouts.SCHEMA, "n_children");
    private static final long CHILDREN = CStructLayouts.offset(CStructLayouts.SCHEMA, "children");
    private static final long DICTIONARY = CStructLayouts.offset(CStructLayouts.SCHEMA, "dictionary");
    private static final long RELEASE = CStructLayouts.offset(CStructLayouts.SCHEMA, "release");
    private static final long PRIVATE_DATA = CStructLayouts.offset(CStructLayouts.SCHEMA, "private_data");

    private CSchema() {}

    /** {@code format}. */
    public static long format(long struct) {
        return RawMemory.getLong(struct + FORMAT);
    }

    /** Sets {@code format}. */
    public static void setFormat(long struct, long value) {
        RawMemory.putLong(struct + FORMAT, value);
    }

    /** {@code name}. */
    public static long name(long struct) {
        return RawMemory.getLong(struct + NAME);
    }

    /** Sets {@code name}. */
    public static void setName(long struct, long value) {
        RawMemory.putLong(struct + NAME, value);
    }

    /** {@code metadata}. */
    public static long metadata(long struct) {
        return RawMemory.getLong(struct + METADATA);
    }

    /** Sets {@code metadata}. */
    public static void setMetadata(long struct, long value) {
        RawMemory.putLong(struct + METADATA, value);
    }

    /** {@code flags}. */
    public static long flags(long struct) {
        return RawMemory.getLong(struct + FLAGS);
    }

    /** Sets {@code flags}. */
    public static void setFlags(long struct, long value) {
        RawMemory.putLong(struct + FLAGS, value);
    }

    /** {@code n_children}. */
    public static long childCount(long struct) {
        return RawMemory.getLong(struct + N_CHILDREN);
    }

    /** Sets {@code n_children}. */
    public static void setChildCount(long struct, long value) {
        RawMemory.putLong(struct + N_CHILDREN, value);
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
}
