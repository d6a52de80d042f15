package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowAsyncProducer} at an address. */
public final class CAsyncProducer {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.ASYNC_PRODUCER.byteSize();

    private static final long DEVICE_TYPE = CStructLayouts.offset(CStructLayouts.ASYNC_PRODUCER, "device_type");
    private static final long REQUEST = CStructLayouts.offset(CStructLayouts.ASYNC_PRODUCER, "request");
    private static final long CANCEL = CStructLayouts.offset(CStructLayouts.ASYNC_PRODUCER, "cancel");
    private static final long ADDITIONAL_METADATA =
            CStructLayouts.offset(CStructLayouts.ASYNC_PRODUCER, "additional_metadata");
    private static final long PRIVATE_DATA = CStructLayouts.offset(CStructLayouts.ASYNC_PRODUCER, "private_data");

    private CAsyncProducer() {}

    /** {@code device_type}. */
    public static int deviceType(long struct) {
        return RawMemory.getInt(struct + DEVICE_TYPE);
    }

    /** Sets {@code device_type}. */
    public static void setDeviceType(long struct, int value) {
        RawMemory.putInt(struct + DEVICE_TYPE, value);
    }

    /** {@code request}. */
    public static long request(long struct) {
        return RawMemory.getLong(struct + REQUEST);
    }

    /** Sets {@code request}. */
    public static void setRequest(long struct, long value) {
        RawMemory.putLong(struct + REQUEST, value);
    }

    /** {@code cancel}. */
    public static long cancel(long struct) {
        return RawMemory.getLong(struct + CANCEL);
    }

    /** Sets {@code cancel}. */
    public static void setCancel(long struct, long value) {
        RawMemory.putLong(struct + CANCEL, value);
    }

    /** {@code additional_metadata}. */
    public static long additionalMetadata(long struct) {
        return RawMemory.getLong(struct + ADDITIONAL_METADATA);
    }

    /** Sets {@code additional_metadata}. */
    public static void setAdditionalMetadata(long struct, long value) {
        RawMemory.putLong(struct + ADDITIONAL_METADATA, value);
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
