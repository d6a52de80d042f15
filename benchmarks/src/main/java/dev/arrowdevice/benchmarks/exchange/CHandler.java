package dev.arrowdevice.benchmarks.exchange;

import java.lang.invoke.MethodHandle;

/**
 * A consumer in C of an async stream, which extracts and releases each batch when it arrives. See {@code c_async.c}.
 */
public final class CHandler {
    private static final MethodHandle OPEN = CFunctions.function("c_handler", 0);
    private static final MethodHandle CLOSE = CFunctions.function("c_handler_close", 1);

    private final long address;

    /** A consumer of one stream; {@link #close} must follow. */
    public CHandler() {
        try {
            address = (long) OPEN.invokeExact();
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    /** The address of its {@code ArrowAsyncDeviceStreamHandler}. */
    public long address() {
        return address;
    }

    /**
     * Frees the handler, which must have been released, and returns the number of rows that arrived.
     *
     * @throws AssertionError if the stream failed or did not end
     */
    public long close() {
        try {
            long rows = (long) CLOSE.invokeExact(address);
            if (rows < 0) {
                throw new AssertionError("the stream failed, or its handler was not released");
            }
            return rows;
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }
}
