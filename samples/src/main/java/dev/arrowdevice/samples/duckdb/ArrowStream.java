package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.invoke.MethodHandles;

/**
 * The consumer's calls of a {@code struct ArrowArrayStream} at a bare address, as far as the binding needs them.
 *
 * <p>The binding takes the place of an engine's own C++ code, so it knows only the C structs. Of the SDK it uses only
 * the calls of native functions.
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

    private static final int LONGEST_MESSAGE = 1 << 16;

    private ArrowStream() {}

    static boolean isReleased(long stream) {
        return pointer(stream + RELEASE) == 0;
    }

    /** Moves the stream to another place: "a bitwise move that marks the source released". */
    static void move(long source, long target) {
        NativeMemory.copy(source, target, SIZE);
        NativeMemory.putLong(source + RELEASE, 0);
    }

    /** Writes the stream's schema to {@code schema}, or throws the stream's error. */
    static void getSchema(long stream, long schema) {
        check(stream, Callbacks.CALL.get(pointer(stream + GET_SCHEMA), stream, schema));
    }

    /** Writes the next array to {@code array}, or a released one at the end of the stream. */
    static void getNext(long stream, long array) {
        check(stream, Callbacks.CALL.get(pointer(stream + GET_NEXT), stream, array));
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
            Callbacks.CALL.release(callback, struct);
        }
    }

    private static void check(long stream, int errno) {
        if (errno != 0) {
            long callback = pointer(stream + GET_LAST_ERROR);
            long message = callback == 0 ? 0 : Callbacks.CALL.lastError(callback, stream);
            String text = message == 0 ? "it gave no message" : NativeMemory.getString(message, LONGEST_MESSAGE);
            throw new DuckDbException("the Arrow stream failed with errno " + errno + ": " + text);
        }
    }

    private static long pointer(long address) {
        return NativeMemory.getLong(address);
    }

    /** Functions that a struct points to; the address of the function is the first argument. */
    private interface Callbacks {
        Callbacks CALL = NativeFunctions.byAddress(MethodHandles.lookup(), Callbacks.class);

        int get(long function, long struct, long out);

        long lastError(long function, long stream);

        void release(long function, long struct);
    }
}
