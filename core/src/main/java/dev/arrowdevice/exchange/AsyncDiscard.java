package dev.arrowdevice.exchange;

/** How a consumer gives back a task whose array it does not want: by {@code extract_data} in each case, and once. */
public enum AsyncDiscard {
    /**
     * "NULL should be passed as the device array pointer to indicate that the consumer doesn't want the actual data": the
     * producer cleans up and need not make the array.
     */
    WITHOUT_ARRAY,

    /**
     * The array is extracted and released at once, for producers that don't expect the NULL. arrow-go (18.8) is one: it
     * writes to the address that it is given, and <strong>the NULL ends the process</strong>. Costs the work of making
     * the array; all producers understand it.
     */
    WITH_ARRAY
}
