package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.ipc.ArrowIpcException;
import java.nio.BufferUnderflowException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one place where what goes wrong while bytes are understood becomes our exception. FlatBuffers has no verifier: a
 * damaged offset shows as an index out of bounds. The core refuses types and arrays with its own exceptions, which don't know
 * where in the stream they are.
 */
public final class Guard {
    private Guard() {}

    /**
     * Runs what reads metadata or makes arrays of it.
     *
     * @param position where the message begins
     * @param what the thing that is read, for the message
     */
    public static <T> T reading(long position, String what, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (ArrowIpcException e) {
            throw e;
        } catch (IndexOutOfBoundsException
                | BufferUnderflowException
                | IllegalArgumentException
                | ArithmeticException
                | NegativeArraySizeException e) {
            throw new ArrowIpcException(position, what + ": " + problem(e), e);
        }
    }

    private static String problem(RuntimeException failure) {
        boolean ours = failure instanceof IllegalArgumentException;
        return ours && failure.getMessage() != null ? failure.getMessage() : "the metadata is damaged";
    }

    /** A part of the metadata that must be there. */
    public static <T> T require(@Nullable T part, String name) {
        if (part == null) {
            throw new IllegalArgumentException("the " + name + " is missing");
        }
        return part;
    }
}
