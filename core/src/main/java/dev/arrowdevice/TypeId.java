package dev.arrowdevice;

/** The kinds of Arrow type. Parameters (width, unit, children, …) are in the {@link ArrowType} itself. */
public enum TypeId {
    NULL,
    BOOL,
    INT8,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
    INT64,
    UINT64,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    DECIMAL32,
    DECIMAL64,
    DECIMAL128,
    DECIMAL256,
    UTF8,
    LARGE_UTF8,
    UTF8_VIEW,
    BINARY,
    LARGE_BINARY,
    BINARY_VIEW,
    FIXED_SIZE_BINARY,
    DATE32,
    DATE64,
    TIME32,
    TIME64,
    TIMESTAMP,
    DURATION,
    INTERVAL_MONTHS,
    INTERVAL_DAY_TIME,
    INTERVAL_MONTH_DAY_NANO,
    LIST,
    LARGE_LIST,
    LIST_VIEW,
    LARGE_LIST_VIEW,
    FIXED_SIZE_LIST,
    STRUCT,
    MAP,
    SPARSE_UNION,
    DENSE_UNION,
    RUN_END_ENCODED,
    DICTIONARY,
    EXTENSION;

    /** Whether this is one of the eight integer types, signed and unsigned, which may index a dictionary. */
    public boolean isInteger() {
        return ordinal() >= INT8.ordinal() && ordinal() <= UINT64.ordinal();
    }

    /** Whether this is a signed integer type of 16, 32 or 64 bits, which may be run ends. */
    public boolean isRunEnd() {
        return this == INT16 || this == INT32 || this == INT64;
    }
}
