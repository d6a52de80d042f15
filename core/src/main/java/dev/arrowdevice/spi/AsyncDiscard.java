package dev.arrowdevice.spi;

/**
 * How a consumer gives back a task whose array it does not want: by {@code extract_data} in each case, and once. The
 * specification: "If the consumer does not care about the data that is owned by this task, it must still call
 * extract_data so that the producer can perform any required cleanup. NULL should be passed as the device array pointer
 * to indicate that the consumer doesn't want the actual data, letting the task perform necessary cleanup."
 *
 * <p>NULL is what it says a consumer <em>should</em> pass, and there is a producer that does not survive it. So {@link
 * #WITH_ARRAY} is the default, which all producers understand; {@link #WITHOUT_ARRAY} is for a producer that is known to
 * expect the NULL, and saves making the array.
 */
public enum AsyncDiscard {
    /**
     * The array is extracted and released at once, unread. The default, since arrow-go (18.8) writes to the
     * address that it is given, so that <strong>a NULL ends the process</strong> when a collector is cancelled. Costs the
     * work of making the array, on the thread that discards; of a task that comes after a cancel, that is the
     * producer's.
     */
    WITH_ARRAY,

    /**
     * As the specification recommends, {@code extract_data(task, NULL)}: the producer cleans up and need not make the
     * array. Arrow C++ and our own {@link AsyncExport} understand it; <strong>of arrow-go it ends the process</strong>.
     */
    WITHOUT_ARRAY
}
