package dev.arrowdevice.internal.abi;

import java.lang.invoke.MethodHandles;

/** The native addresses of our callbacks of the async interface; see {@link ArrayUpcalls}. */
public final class AsyncUpcalls {
    private static final int EINVAL = 22;

    /** {@code ArrowAsyncDeviceStreamHandler.on_schema}. */
    public static final long ON_SCHEMA = stub("onSchema", int.class, long.class, long.class);
    /** {@code ArrowAsyncDeviceStreamHandler.on_next_task}. */
    public static final long ON_NEXT_TASK = stub("onNextTask", int.class, long.class, long.class, long.class);
    /** {@code ArrowAsyncDeviceStreamHandler.on_error}. */
    public static final long ON_ERROR = stub("onError", void.class, long.class, int.class, long.class, long.class);
    /** {@code ArrowAsyncDeviceStreamHandler.release}. */
    public static final long RELEASE = stub("release", void.class, long.class);
    /** {@code ArrowAsyncProducer.request}. */
    public static final long REQUEST = stub("request", void.class, long.class, long.class);
    /** {@code ArrowAsyncProducer.cancel}. */
    public static final long CANCEL = stub("cancel", void.class, long.class);
    /** {@code ArrowAsyncTask.extract_data}. */
    public static final long EXTRACT_DATA = stub("extractData", int.class, long.class, long.class);

    private AsyncUpcalls() {}

    private static int onSchema(long handler, long schema) {
        try {
            Exported.Handler exported = OutstandingExports.HANDLERS.get(CAsyncDeviceStreamHandler.privateData(handler));
            if (exported != null) {
                return exported.onSchema(schema);
            }
            if (schema != 0) {
                ForeignCallbacks.releaseSchema(schema); // The struct belongs to the consumer, also after the end.
            }
            return EINVAL;
        } catch (Throwable e) {
            ArrayUpcalls.report("on_schema", e);
            return EINVAL;
        }
    }

    private static int onNextTask(long handler, long task, long metadata) {
        try {
            Exported.Handler exported = OutstandingExports.HANDLERS.get(CAsyncDeviceStreamHandler.privateData(handler));
            return exported != null ? exported.onNextTask(task, metadata) : EINVAL;
        } catch (Throwable e) {
            ArrayUpcalls.report("on_next_task", e);
            return EINVAL;
        }
    }

    private static void onError(long handler, int code, long message, long metadata) {
        try {
            Exported.Handler exported = OutstandingExports.HANDLERS.get(CAsyncDeviceStreamHandler.privateData(handler));
            if (exported != null) {
                exported.onError(code, message, metadata);
            }
        } catch (Throwable e) {
            ArrayUpcalls.report("on_error", e);
        }
    }

    private static void release(long handler) {
        try {
            Exported.Handler exported = OutstandingExports.HANDLERS.get(CAsyncDeviceStreamHandler.privateData(handler));
            if (exported != null) {
                exported.release();
            }
        } catch (Throwable e) {
            ArrayUpcalls.report("release", e);
        }
    }

    private static void request(long producer, long n) {
        try {
            Exported.Producer exported = OutstandingExports.PRODUCERS.get(CAsyncProducer.privateData(producer));
            if (exported != null) {
                exported.request(n);
            }
        } catch (Throwable e) {
            ArrayUpcalls.report("request", e);
        }
    }

    private static void cancel(long producer) {
        try {
            Exported.Producer exported = OutstandingExports.PRODUCERS.get(CAsyncProducer.privateData(producer));
            if (exported != null) {
                exported.cancel();
            }
        } catch (Throwable e) {
            ArrayUpcalls.report("cancel", e);
        }
    }

    private static int extractData(long task, long out) {
        try {
            Exported.Task exported = OutstandingExports.TASKS.get(CAsyncTask.privateData(task));
            return exported != null ? exported.extractData(out) : EINVAL;
        } catch (Throwable e) {
            ArrayUpcalls.report("extract_data", e);
            return EINVAL;
        }
    }

    private static long stub(String method, Class<?> result, Class<?>... parameters) {
        return ArrayUpcalls.stub(MethodHandles.lookup(), method, result, parameters);
    }
}
