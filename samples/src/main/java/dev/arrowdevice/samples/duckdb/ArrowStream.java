package dev.arrowdevice.samples.duckdb;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The consumer's side of a {@code struct ArrowArrayStream} at a raw address, as much of it as the binding needs.
 *
 * <p>The binding stands for an engine's own C++ and therefore knows only the C structs, not the SDK.
 */
final class ArrowStream {
    static final long SIZE = 40;
    static final long SCHEMA_SIZE = 72;
    static final long ARRAY_SIZE = 80;

    private static final long GET_SCHEMA = 0;
    private static final long GET_NEXT = 8;
    private static final long GET_LAST_ERROR = 16;
    private static final long RELEASE = 24;
    private static final long SCHEMA_RELEASE = 56;
    private static final long ARRAY_RELEASE = 64;

    private static final ValueLayout.OfLong POINTER = ValueLayout.JAVA_LONG;

    private ArrowStream() {}

    static boolean isReleased(long stream) {
        return pointer(stream + RELEASE) == 0;
    }

    /** Moves the stream to another place: "a bitwise move that marks the source released". */
    static void move(long source, long target) {
        memory(target, SIZE).copyFrom(memory(source, SIZE));
        memory(source, SIZE).set(POINTER, RELEASE, 0);
    }

    /** Writes the stream's schema to {@code schema}, or throws what the stream says went wrong. */
    static void getSchema(long stream, long schema) {
        check(stream, Callbacks.invoke(Callbacks.GET, pointer(stream + GET_SCHEMA), stream, schema));
    }

    /** Writes the next array to {@code array}: released when the stream has ended. */
    static void getNext(long stream, long array) {
        check(stream, Callbacks.invoke(Callbacks.GET, pointer(stream + GET_NEXT), stream, array));
    }

    static boolean isArrayReleased(long array) {
        return pointer(array + ARRAY_RELEASE) == 0;
    }

    static void release(long stream) {
        release(stream, stream + RELEASE);
    }

    static void releaseSchema(long schema) {
        release(schema, schema + SCHEMA_RELEASE);
    }

    static void releaseArray(long array) {
        release(array, array + ARRAY_RELEASE);
    }

    private static void release(long struct, long callbackAt) {
        long callback = pointer(callbackAt);
        if (callback != 0) {
            Callbacks.invoke(callback, struct);
        }
    }

    private static void check(long stream, int errno) {
        if (errno != 0) {
            long message = Callbacks.lastError(pointer(stream + GET_LAST_ERROR), stream);
            String text = message == 0
                    ? "it gave no message"
                    : memory(message, Long.MAX_VALUE).getString(0);
            throw new DuckDbException("the Arrow stream failed with errno " + errno + ": " + text);
        }
    }

    private static long pointer(long address) {
        return memory(address, Long.BYTES).get(POINTER, 0);
    }

    @SuppressWarnings("restricted") // the sizes are those of the Arrow C structs
    private static MemorySegment memory(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /** Downcalls through the function pointers of a struct: the first argument of each handle is the function. */
    private static final class Callbacks {
        static final MethodHandle GET = link(FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER, POINTER));
        private static final MethodHandle LAST_ERROR = link(FunctionDescriptor.of(POINTER, POINTER));
        private static final MethodHandle RELEASE = link(FunctionDescriptor.ofVoid(POINTER));

        @SuppressWarnings("restricted") // downcalls
        private static MethodHandle link(FunctionDescriptor signature) {
            return Linker.nativeLinker().downcallHandle(signature);
        }

        static int invoke(MethodHandle handle, long function, long struct, long out) {
            try {
                return (int) handle.invokeExact(MemorySegment.ofAddress(function), struct, out);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        static long lastError(long function, long stream) {
            try {
                return function == 0 ? 0 : (long) LAST_ERROR.invokeExact(MemorySegment.ofAddress(function), stream);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        static void invoke(long function, long struct) {
            try {
                RELEASE.invokeExact(MemorySegment.ofAddress(function), struct);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        private static AssertionError unexpected(Throwable e) {
            return new AssertionError("a downcall throws nothing", e);
        }
    }
}
