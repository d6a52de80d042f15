package dev.arrowdevice.spi;

import dev.arrowdevice.ForeignException;

/**
 * Makes the exception for the error of a stream whose producer can say more than the interface can express. For
 * example, ADBC's {@code AdbcErrorFromArrayStream} needs the struct that the stream was moved to.
 */
@FunctionalInterface
public interface StreamErrors {
    /**
     * Called right after the call that failed, on the same thread, while the stream is live.
     *
     * @param streamAddress the address of the {@code ArrowArrayStream} or {@code ArrowDeviceArrayStream} now. It is
     *     valid during this call only; do not release or move the stream
     * @param failure the error code and the producer's text; thrown if nothing else is
     * @return the exception to throw, which may be {@code failure} itself
     */
    RuntimeException exceptionOf(long streamAddress, ForeignException failure);
}
