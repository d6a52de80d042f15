package dev.arrowdevice.internal.abi;

import dev.arrowdevice.internal.binding.Upcalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Calls the callbacks in the structs of foreign producers. All parameters are addresses, and none may be 0. */
public final class ForeignCallbacks {
    private static final MethodHandle RELEASE =
            LinkedFunctions.downcall(FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
    /**
     * The callbacks of streams. In a class of their own, because each handle takes a millisecond, which a process
     * without streams saves.
     */
    private static final class OfStreams {
        static final MethodHandle GET_INTO = LinkedFunctions.downcall(
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        static final MethodHandle GET_LAST_ERROR =
                LinkedFunctions.downcall(FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }

    private ForeignCallbacks() {}

    /** Calls {@code release(struct)}, unless it is foreign and a gate denies it. */
    public static void release(long callback, long struct) {
        ReleaseGates.Gate gate = ReleaseGates.installed();
        if (gate == null || Upcalls.isOurs(callback)) {
            call(callback, struct);
        } else if (gate.enter()) {
            try {
                call(callback, struct);
            } finally {
                gate.leave();
            }
        }
    }

    private static void call(long callback, long struct) {
        try {
            RELEASE.invokeExact(MemorySegment.ofAddress(callback), struct);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** Calls {@code get_schema(stream, out)} or {@code get_next(stream, out)} and returns its error code. */
    public static int getInto(long callback, long stream, long out) {
        try {
            return (int) OfStreams.GET_INTO.invokeExact(MemorySegment.ofAddress(callback), stream, out);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** Calls {@code get_last_error(stream)}, and returns the address of its text, or 0. */
    public static long getLastError(long callback, long stream) {
        try {
            return (long) OfStreams.GET_LAST_ERROR.invokeExact(MemorySegment.ofAddress(callback), stream);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** Releases the array at an address if it is live, and marks it released. */
    public static void releaseArray(long array) {
        long callback = CArray.release(array);
        if (callback != 0) {
            release(callback, array);
            CArray.setRelease(array, 0);
        }
    }

    /** Releases the schema at an address if it is live, and marks it released. */
    public static void releaseSchema(long schema) {
        long callback = CSchema.release(schema);
        if (callback != 0) {
            release(callback, schema);
            CSchema.setRelease(schema, 0);
        }
    }

    static RuntimeException rethrow(Throwable e) {
        if (e instanceof RuntimeException) {
            return (RuntimeException) e;
        }
        if (e instanceof Error) {
            throw (Error) e;
        }
        return new IllegalStateException(e);
    }
}
