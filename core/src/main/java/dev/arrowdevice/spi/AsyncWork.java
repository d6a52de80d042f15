package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;

/** What an async task does when the consumer comes for it: exactly one of the two, once, on the consumer's thread. */
public interface AsyncWork {
    /**
     * Makes the array, whose owner goes over to the caller: of the stream's type, on a device of its type, else the task
     * fails. What it throws reaches the consumer as an error code, and
     * {@link AsyncExport.Listener#onTaskFailure}.
     */
    DeviceArray extract();

    /** The consumer doesn't want the array. Must not throw. */
    void discard();
}
