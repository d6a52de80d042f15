package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowAsyncTask} at an address. */
public final class CAsyncTask {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.ASYNC_TASK.byteSize();

    private static final long EXTRACT_DATA = CStructLayouts.offset(CStructLayouts.ASYNC_TASK, "extract_data");
    private static final long PRIVATE_DATA = CStructLayouts.offset(CStructLayouts.ASYNC_TASK, "private_data");

    private CAsyncTask() {}

    /** {@code extract_data}. */
    public static long extractData(long struct) {
        return RawMemory.getLong(struct + EXTRACT_DATA);
    }

    /** Sets {@code extract_data}. */
    public static void setExtractData(long struct, long value) {
        RawMemory.putLong(struct + EXTRACT_DATA, value);
    }

    /** {@code private_data}. */
    public static long privateData(long struct) {
        return RawMemory.getLong(struct + PRIVATE_DATA);
    }

    /** Sets {@code private_data}. */
    public static void setPrivateData(long struct, long value) {
        RawMemory.putLong(struct + PRIVATE_DATA, value);
    }
}
