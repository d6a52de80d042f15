package dev.arrowdevice;

/** How much of an imported array is checked before it is accepted. */
public enum Validation {
    /**
     * Only what is needed to wrap it: counts of buffers and children, no negative or overflowing length. For producers
     * that are trusted; data that breaks the specification shows when it is read, as an exception.
     */
    NONE,

    /**
     * In addition, that lengths of parents and children, null counts and absent buffers fit together. Costs a constant
     * time per field, independent of the number of rows, and never touches memory that the host can't read. The default.
     */
    STRUCTURE,

    /**
     * In addition, every value, where the host can read the memory: offsets ascend and stay in range, text is UTF-8,
     * dictionary indices and type ids exist, run ends grow, views lie within their buffers (list views also where they are
     * null), the offsets of a dense union don't fall within a child, entries and keys of maps are not null, decimals have
     * no more digits than declared, times lie within a day, dates in milliseconds are whole days, null counts are true. Costs one
     * pass over the data.
     */
    FULL
}
