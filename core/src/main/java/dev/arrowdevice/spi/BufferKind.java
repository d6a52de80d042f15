package dev.arrowdevice.spi;

/** The kinds of buffers of an array. */
public enum BufferKind {
    /** One bit per element, least significant first, 1 = not null. The only buffer that may be absent. */
    VALIDITY,
    /** Values of fixed width: {@link Layout#bitWidth()} bits per element. */
    DATA,
    /** 32-bit offsets: length + 1 of them, or length in a list view. */
    OFFSETS32,
    /** 64-bit offsets: length + 1 of them, or length in a large list view. */
    OFFSETS64,
    /** 32-bit sizes of a list view: length of them. */
    SIZES32,
    /** 64-bit sizes of a large list view: length of them. */
    SIZES64,
    /** One signed byte per element: the type id of the union's child that has the value. */
    TYPE_IDS,
    /** One signed 32-bit integer per element of a dense union: the index of the value in the child. */
    UNION_OFFSETS,
    /** 16 bytes per element of a view type: the value itself, or its place in a variadic buffer. */
    VIEWS,
    /** Bytes that offsets refer to. */
    VARIABLE
}
