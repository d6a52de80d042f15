package dev.arrowdevice.peers;

/** What the C peer does besides reading when it consumes a stream. */
public enum PeerDrain {
    /** Releases the stream before it reads the arrays. */
    ARRAYS_OUTLIVE,
    /** Calls {@code get_last_error} after every success, as one well-known consumer does. */
    ASK_ERROR,
    /** Asks for the schema a second time. */
    SCHEMA_TWICE;

    long bit() {
        return 1L << ordinal();
    }
}
