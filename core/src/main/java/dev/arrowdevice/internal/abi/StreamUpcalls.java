package dev.arrowdevice.internal.abi;

import java.lang.invoke.MethodHandles;

/** The native addresses of the callbacks of the streams that we export; see {@link ArrayUpcalls}. */
public final class StreamUpcalls {
    private static final int EIO = 5;

    /** {@code ArrowArrayStream.get_schema}. */
    public static final long GET_SCHEMA = stub("streamGetSchema", int.class, long.class, long.class);
    /** {@code ArrowArrayStream.get_next}. */
    public static final long GET_NEXT = stub("streamGetNext", int.class, long.class, long.class);
    /** {@code ArrowArrayStream.get_last_error}. */
    public static final long GET_LAST_ERROR = stub("streamGetLastError", long.class, long.class);
    /** {@code ArrowArrayStream.release}. */
    public static final long RELEASE = stub("streamRelease", void.class, long.class);
    /** {@code ArrowDeviceArrayStream.get_schema}. */
    public static final long DEVICE_GET_SCHEMA = stub("deviceStreamGetSchema", int.class, long.class, long.class);
    /** {@code ArrowDeviceArrayStream.get_next}. */
    public static final long DEVICE_GET_NEXT = stub("deviceStreamGetNext", int.class, long.class, long.class);
    /** {@code ArrowDeviceArrayStream.get_last_error}. */
    public static final long DEVICE_GET_LAST_ERROR = stub("deviceStreamGetLastError", long.class, long.class);
    /** {@code ArrowDeviceArrayStream.release}. */
    public static final long DEVICE_RELEASE = stub("deviceStreamRelease", void.class, long.class);

    private StreamUpcalls() {}

    private static int streamGetSchema(long stream, long out) {
        return getSchema(CArrayStream.privateData(stream), out);
    }

    private static int streamGetNext(long stream, long out) {
        return getNext(CArrayStream.privateData(stream), out);
    }

    private static long streamGetLastError(long stream) {
        return getLastError(CArrayStream.privateData(stream));
    }

    private static void streamRelease(long stream) {
        release(CArrayStream.privateData(stream));
        CArrayStream.setRelease(stream, 0);
    }

    private static int deviceStreamGetSchema(long stream, long out) {
        return getSchema(CDeviceArrayStream.privateData(stream), out);
    }

    private static int deviceStreamGetNext(long stream, long out) {
        return getNext(CDeviceArrayStream.privateData(stream), out);
    }

    private static long deviceStreamGetLastError(long stream) {
        return getLastError(CDeviceArrayStream.privateData(stream));
    }

    private static void deviceStreamRelease(long stream) {
        release(CDeviceArrayStream.privateData(stream));
        CDeviceArrayStream.setRelease(stream, 0);
    }

    private static int getSchema(long id, long out) {
        try {
            Exported.Stream exported = OutstandingExports.STREAMS.get(id);
            return exported == null ? EIO : exported.getSchema(out);
        } catch (Throwable e) {
            ArrayUpcalls.report("get_schema", e);
            return EIO;
        }
    }

    private static int getNext(long id, long out) {
        try {
            Exported.Stream exported = OutstandingExports.STREAMS.get(id);
            return exported == null ? EIO : exported.getNext(out);
        } catch (Throwable e) {
            ArrayUpcalls.report("get_next", e);
            return EIO;
        }
    }

    private static long getLastError(long id) {
        try {
            Exported.Stream exported = OutstandingExports.STREAMS.get(id);
            return exported == null ? 0 : exported.getLastError();
        } catch (Throwable e) {
            ArrayUpcalls.report("get_last_error", e);
            return 0;
        }
    }

    private static void release(long id) {
        try {
            Exported.Stream exported = OutstandingExports.STREAMS.get(id);
            if (exported != null) {
                exported.release();
            }
        } catch (Throwable e) {
            ArrayUpcalls.report("release", e);
        }
    }

    private static long stub(String method, Class<?> result, Class<?>... parameters) {
        return ArrayUpcalls.stub(MethodHandles.lookup(), method, result, parameters);
    }
}
