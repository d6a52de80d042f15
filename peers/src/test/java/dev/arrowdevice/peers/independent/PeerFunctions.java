package dev.arrowdevice.peers.independent;

/**
 * The functions of an independent peer. Arrays and readers of the peer are handles; a handle that is returned is closed
 * by the caller. Less than 0 means that a function has failed, and {@link #peer_error} has the reason.
 */
interface PeerFunctions {
    /** Called once, before the others. */
    void peer_start();

    /** What the peer holds, in bytes or another number that is the same after everything was released. */
    long peer_allocated();

    /** The reason of the last failure, as a text for {@link #peer_free_text}. */
    long peer_error();

    void peer_free_text(long text);

    /** Takes over both structs, of a batch if that is 1, and looks at every byte as far as the peer can. */
    long peer_import(long array, long schema, long batch);

    /** Fills both structs with one more owner of the array. */
    long peer_export(long array, long arrayStruct, long schemaStruct);

    long peer_length(long array);

    /** A part of the array, without a copy. */
    long peer_slice(long array, long from, long length);

    /** An array that the peer builds of the values. */
    long peer_rebuild(long array);

    /** 1 if the peer takes both for equal, else 0. */
    long peer_equal(long one, long other);

    /** The values as the peer reads them, as a text for {@link #peer_free_text}. */
    long peer_text(long array);

    void peer_close(long array);

    /** Takes over a stream of batches. Returns a reader. */
    long peer_stream_import(long stream);

    /** The next batch as a struct array, or 0 at the end. */
    long peer_stream_next(long reader);

    /** Moves a reader into a stream of the peer. */
    long peer_stream_export(long reader, long stream);

    /** Fills a stream that has a batch so many times, and then fails with a text of the peer if {@code fail} is 1. */
    long peer_stream_of(long array, long times, long fail, long stream);

    void peer_stream_close(long reader);
}
