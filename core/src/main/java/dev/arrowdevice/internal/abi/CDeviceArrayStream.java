package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowDeviceArrayStream} at an address. */
public final class CDeviceArrayStream {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.DEVICE_ARRAY_STREAM.byteSize();

    private static final long DEVICE_TYPE = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY_STREAM, "device_type");
    private static final long GET_SCHEMA = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY_STREAM, "get_schema");
    private static final long GET_NEXT = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY_STREAM, "get_next");
    private static final long GET_LAST_ERROR =
            CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY_STREAM, "get_last_error");
    private static final long RELEASE = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY_STREAM, "release");
    private static final long PRIVATE_DATA = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY_STREAM, "private_data");

    private CDeviceArrayStream() {}

    /** {@code device_type}. */
    public static int deviceType(long struct) {
        return RawMemory.getInt(struct + DEVICE_TYPE);
    }

    /** Sets {@code device_type}. */
    public static void setDeviceType(long struct, int value) {
        RawMemory.putInt(struct + DEVICE_TYPE, value);
    }

    /** {@code get_schema}. */
    public static long getSchema(long struct) {
        return RawMemory.getLong(struct + GET_SCHEMA);
    }

    /** Sets {@code get_schema}. */
    public static void setGetSchema(long struct, long value) {
        RawMemory.putLong(struct + GET_SCHEMA, value);
    }

    /** {@code get_next}. */
    public static long getNext(long struct) {
        return RawMemory.getLong(struct + GET_NEXT);
    }

    /** Sets {@code get_next}. */
    public static void setGetNext(long struct, long value) {
        RawMemory.putLong(struct + GET_NEXT, value);
    }

    /** {@code get_last_error}. */
    public static long getLastError(long struct) {
        return RawMemory.getLong(struct + GET_LAST_ERROR);
    }

    /** Sets {@code get_last_error}. */
    public static void setGetLastError(long struct, long value) {
        RawMemory.putLong(struct + GET_LAST_ERROR, value);
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
}
