package dev.arrowdevice.internal.abi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Calls the callbacks in the structs of the async interface. The addresses of structs must not be 0. */
public final class ForeignAsyncCallbacks {
    private static final ValueLayout.OfLong POINTER = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private static final MethodHandle CANCEL = LinkedFunctions.downcall(FunctionDescriptor.ofVoid(POINTER));
    private static final MethodHandle REQUEST =
            LinkedFunctions.downcall(FunctionDescriptor.ofVoid(POINTER, ValueLayout.JAVA_LONG));
    private static final MethodHandle TWO_POINTERS =
            LinkedFunctions.downcall(FunctionDescriptor.of(INT, POINTER, POINTER));
    private static final MethodHandle ON_NEXT_TASK =
            LinkedFunctions.downcall(FunctionDescriptor.of(INT, POINTER, POINTER, POINTER));
    private static final MethodHandle ON_ERROR =
            LinkedFunctions.downcall(FunctionDescriptor.ofVoid(POINTER, INT, POINTER, POINTER));

    private ForeignAsyncCallbacks() {}

    /** Calls {@code producer->request(producer, n)}. */
    public static void request(long producer, long n) {
        try {
            REQUEST.invokeExact(MemorySegment.ofAddress(CAsyncProducer.request(producer)), producer, n);
        } catch (Throwable e) {
            throw ForeignCallbacks.rethrow(e);
        }
    }

    /** Calls {@code producer->cancel(producer)}. */
    public static void cancel(long producer) {
        try {
            CANCEL.invokeExact(MemorySegment.ofAddress(CAsyncProducer.cancel(producer)), producer);
        } catch (Throwable e) {
            throw ForeignCallbacks.rethrow(e);
        }
    }

    /** Calls {@code task->extract_data(task, out)}. If {@code out} is 0, this discards the data. */
    public static int extractData(long task, long out) {
        try {
            return (int) TWO_POINTERS.invokeExact(MemorySegment.ofAddress(CAsyncTask.extractData(task)), task, out);
        } catch (Throwable e) {
            throw ForeignCallbacks.rethrow(e);
        }
    }

    /** Calls {@code handler->on_schema(handler, schema)}. */
    public static int onSchema(long handler, long schema) {
        try {
            return (int) TWO_POINTERS.invokeExact(
                    MemorySegment.ofAddress(CAsyncDeviceStreamHandler.onSchema(handler)), handler, schema);
        } catch (Throwable e) {
            throw ForeignCallbacks.rethrow(e);
        }
    }

    /** Calls {@code handler->on_next_task(handler, task, metadata)}. If {@code task} is 0, this ends the stream. */
    public static int onNextTask(long handler, long task, long metadata) {
        try {
            return (int) ON_NEXT_TASK.invokeExact(
                    MemorySegment.ofAddress(CAsyncDeviceStreamHandler.onNextTask(handler)), handler, task, metadata);
        } catch (Throwable e) {
            throw ForeignCallbacks.rethrow(e);
        }
    }

    /** Calls {@code handler->on_error(handler, code, message, metadata)}. */
    public static void onError(long handler, int code, long message, long metadata) {
        try {
            ON_ERROR.invokeExact(
                    MemorySegment.ofAddress(CAsyncDeviceStreamHandler.onError(handler)),
                    handler,
                    code,
                    message,
                    metadata);
        } catch (Throwable e) {
            throw ForeignCallbacks.rethrow(e);
        }
    }

    /** Calls {@code handler->release(handler)}. The handler must not be read afterwards. */
    public static void release(long handler) {
        ForeignCallbacks.release(CAsyncDeviceStreamHandler.release(handler), handler);
    }
}
