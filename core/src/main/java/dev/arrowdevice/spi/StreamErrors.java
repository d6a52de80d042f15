package dev.arrowdevice.spi;

import dev.arrowdevice.ForeignException;

/**
 * Makes the exception of a stream's error from what its producer can say beyond the interface: ADBC's
 * {@code AdbcErrorFromArrayStream} needs the struct that the stream was moved to.
 */
@FunctionalInterface
public interface StreamErrors {
    /**
     * Called right after the call that failed, on its thread, while the stream is live.
     *
     * @param streamAddress the {@code ArrowArrayStream} or {@code ArrowDeviceArrayStream} as it lies now; valid during the
     *     call only, and not to be released or moved
     * @param failure the error code and the producer's text, as would be thrown without this
     * @return what is thrown, such as {@code failure} itself
     */
    RuntimeException exceptionOf(long streamAddress, ForeignException failure);
}
