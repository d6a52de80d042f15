package dev.arrowdevice;

/** How much of an imported array is checked before it is accepted. */
public enum Validation {
    /**
     * Checks only what is needed to wrap the array: the numbers of buffers and children, and that no length is negative
     * or overflows. For trusted producers. Data that breaks the specification shows as an exception when it is read.
     */
    NONE,

    /**
     * Checks in addition that the lengths of parents and children, null counts and absent buffers fit together. Costs a
     * constant time per field, whatever the number of rows, and never touches memory that the host can't read. The
     * default.
     */
    STRUCTURE,

    /**
     * Checks in addition every value, if the host can read the memory: offsets ascend and stay in range, text is UTF-8,
     * dictionary indices and type ids exist, run ends grow, views are within their buffers (list views also where they
     * are null), the offsets of a dense union don't descend within a child, entries and keys of maps are not null,
     * decimals have no more digits than declared, times are within a day, dates in milliseconds are whole days, null
     * counts are right. Costs one pass over the data.
     *
     * <p>The C interface does not pass the sizes of buffers, so no check sees that a buffer is shorter than its array says.
     * A last offset of strings that lies makes their data as long as it says, and reads go past the end of the memory.
     */
    FULL
}
