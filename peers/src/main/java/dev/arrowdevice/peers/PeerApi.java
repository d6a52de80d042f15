package dev.arrowdevice.peers;

/** The functions of {@code peer.h}, under their C names. Pointers and integers are all passed as {@code long}. */
interface PeerApi {
    int peer_produce_schema(long spec, long flags, long out);

    int peer_produce_array(long schema, long options, long out);

    int peer_produce_device_array(long schema, long options, long out);

    int peer_produce_deep(long depth, long schema, long array);

    int peer_produce_stream(long spec, long options, long streamOptions, long message, long out);

    int peer_produce_device_stream(long spec, long options, long streamOptions, long message, long out);

    int peer_render_array(long schema, long array, long out);

    int peer_render_schema(long schema, long text);

    int peer_check_array(long schema, long array, long flags, long out);

    int peer_check_device_array(long schema, long array, long flags, long out);

    int peer_drain_stream(long stream, long limit, long flags, long text);

    int peer_drain_device_stream(long stream, long limit, long flags, long text);

    int peer_skim_stream(long stream, long rows);

    int peer_abi_layout(long out);

    int peer_release_on_threads(long arrays, long count, long threads);

    int peer_release_soon(long array);

    long peer_checksum(long schema, long array);

    long peer_counter(long counter);

    long peer_heap_bytes();

    long peer_error();

    long peer_hold_array(long array);

    void peer_release_held(long held);

    void peer_release_array(long array);

    void peer_release_schema(long schema);

    void peer_release_stream(long stream);

    void peer_release_device_stream(long stream);

    void peer_move_array(long from, long to);

    void peer_move_schema(long from, long to);

    void peer_guard_memory();

    long peer_allocate(long bytes);

    void peer_deallocate(long memory);

    void peer_free_deferred();

    void peer_join_releases();

    void peer_text_free(long text);

    int peer_dlpack_produce(long what, long out);

    int peer_dlpack_render(long tensor, long versioned, long out);

    void peer_dlpack_delete(long tensor, long versioned);

    int peer_dlpack_layout(long out);
}
