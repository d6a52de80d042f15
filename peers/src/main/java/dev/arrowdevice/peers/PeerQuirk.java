package dev.arrowdevice.peers;

/** Ways of laying out an array that the Arrow format allows and that careless readers get wrong. */
public enum PeerQuirk {
    /** A validity bitmap even where no row is null. */
    ALL_VALID_BITMAP,
    /** {@code null_count} is -1: "not computed". */
    UNKNOWN_NULL_COUNT,
    /** Buffers at odd addresses. */
    MISALIGNED,
    /** The byte behind each buffer is unreadable: reading past the end ends the process. */
    GUARD_BEHIND,
    /** The byte in front of each buffer is unreadable. */
    GUARD_BEFORE,
    /** Buffers of zero bytes are NULL. */
    EMPTY_IS_NULL,
    /** The offsets buffer of an empty variable-size array is NULL, as several producers send it. */
    NO_EMPTY_OFFSETS,
    /** Nonsense in the value slots of null rows, dictionary indices included. */
    GARBAGE_NULLS,
    /** The release callback only marks; the memory goes with {@link CPeer#freeDeferred}. */
    DEFER_FREE;

    long bit() {
        return 1L << ordinal();
    }
}
