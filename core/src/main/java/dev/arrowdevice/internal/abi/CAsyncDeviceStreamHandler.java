package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowAsyncDeviceStreamHandler} at an address. */
public final class CAsyncDeviceStreamHandler {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER.byteSize();

    private static final long ON_SCHEMA =
            CStructLayouts.offset(CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER, "on_schema");
    private static final long ON_NEXT_TASK =
            CStructLayouts.offset(CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER, "on_next_task");
    private static final long ON_ERROR = CStructLayouts.offset(CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER, "on_error");
    private static final long RELEASE = CStructLayouts.offset(CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER, "release");
    private static final long PRODUCER = CStructLayouts.offset(CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER, "producer");
    private static final long PRIVATE_DATA =
            CStructLayouts.offset(CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER, "private_data");

    private CAsyncDeviceStreamHandler() {}

    /** {@code on_schema}. */
    public static long onSchema(long struct) {
        return RawMemory.getLong(struct + ON_SCHEMA);
    }

    /** Sets {@code on_schema}. */
    public static void setOnSchema(long struct, long value) {
        RawMemory.putLong(struct + ON_SCHEMA, value);
    }

    /** {@code on_next_task}. */
    public static long onNextTask(long struct) {
        return RawMemory.getLong(struct + ON_NEXT_TASK);
    }

    /** Sets {@code on_next_task}. */
    public static void setOnNextTask(long struct, long value) {
        RawMemory.putLong(struct + ON_NEXT_TASK, value);
    }

    /** {@code on_error}. */
    public static long onError(long struct) {
        return RawMemory.getLong(struct + ON_ERROR);
    }

    /** Sets {@code on_error}. */
    public static void setOnError(long struct, long value) {
        RawMemory.putLong(struct + ON_ERROR, value);
    }

    /** {@code release}. */
    public static long release(long struct) {
        return RawMemory.getLong(struct + RELEASE);
    }

    /** Sets {@code release}. */
    public static void setRelease(long struct, long value) {
        RawMemory.putLong(struct + RELEASE, value);
    }

    /** {@code producer}. */
    public static long producer(long struct) {
        return RawMemory.getLong(struct + PRODUCER);
    }

    /** Sets {@code producer}. */
    public static void setProducer(long struct, long value) {
        RawMemory.putLong(struct + PRODUCER, value);
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
