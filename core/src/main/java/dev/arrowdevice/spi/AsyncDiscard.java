package dev.arrowdevice.spi;

/**
 * How a consumer discards a task whose array it does not want. Either way it calls {@code extract_data}, once. The
 * specification: "If the consumer does not care about the data that is owned by this task, it must still call
 * extract_data so that the producer can perform any required cleanup. NULL should be passed as the device array pointer
 * to indicate that the consumer doesn't want the actual data, letting the task perform necessary cleanup."
 *
 * <p>The specification says that a consumer <em>should</em> pass NULL, but there is a producer that crashes on it. So
 * the default is {@link #WITH_ARRAY}, which works with all producers. {@link #WITHOUT_ARRAY} is for a producer that is
 * known to accept NULL, and saves the work of making the array.
 */
public enum AsyncDiscard {
    /**
     * Extracts the array and releases it at once, unread. This is the default because arrow-go (18.8) writes to the
     * address that it is given, so <strong>a NULL crashes the process</strong> when a collector is cancelled. The
     * thread that discards does the work of making the array; for a task that arrives after a cancel, that is the
     * producer's thread.
     */
    WITH_ARRAY,

    /**
     * Calls {@code extract_data(task, NULL)}, as the specification recommends: the producer cleans up and need not make
     * the array. Arrow C++ and our own {@link AsyncExport} accept it. <strong>With arrow-go it crashes the
     * process</strong>.
     */
    WITHOUT_ARRAY
}
