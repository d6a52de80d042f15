package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;

/**
 * The work of an async task. When the consumer uses the task, exactly one of the two methods is called, once, on the
 * consumer's thread.
 */
public interface AsyncWork {
    /**
     * Makes the array, which the caller owns. If it is not of the stream's type, on a device of the stream's device
     * type, the task fails. If this throws, the consumer gets an error code, and
     * {@link AsyncExport.Listener#onTaskFailure} the exception.
     */
    DeviceArray extract();

    /** The consumer doesn't want the array. Must not throw. */
    void discard();
}
