package dev.arrowdevice.peers;

/** The functions of {@code peer_async.h}, under their C names. Pointers and integers are all passed as {@code long}. */
interface PeerAsyncApi {
    int peer_async_open(long spec, long options, long asyncOptions, long out);

    int peer_async_start(long async, long handler);

    void peer_async_allow(long async, long permits);

    void peer_async_release(long async);

    long peer_async_stat(long async, long stat);

    int peer_async_await(long async, long stat, long value, long millis);

    int peer_async_log(long async, long text);

    void peer_async_close(long async);

    int peer_consumer_open(long options, long out);

    long peer_consumer_handler(long consumer);

    void peer_consumer_request(long consumer, long n);

    int peer_consumer_cancel(long consumer, long threads);

    int peer_consumer_use(long consumer, long task, long discard);

    long peer_consumer_stat(long consumer, long stat);

    int peer_consumer_await(long consumer, long stat, long value, long millis);

    int peer_consumer_log(long consumer, long text);

    void peer_consumer_close(long consumer);
}
