package dev.arrowdevice.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** The functions of {@code peer_async.h}. */
final class PeerAsyncLibrary {
    static final MethodHandle OPEN = PeerLibrary.status("peer_async_open", 4);
    static final MethodHandle START = PeerLibrary.status("peer_async_start", 2);
    static final MethodHandle ALLOW = PeerLibrary.function("peer_async_allow", null, 2);
    static final MethodHandle RELEASE = PeerLibrary.function("peer_async_release", null, 1);
    static final MethodHandle STAT = PeerLibrary.function("peer_async_stat", JAVA_LONG, 2);
    static final MethodHandle AWAIT = PeerLibrary.status("peer_async_await", 4);
    static final MethodHandle LOG = PeerLibrary.status("peer_async_log", 2);
    static final MethodHandle CLOSE = PeerLibrary.function("peer_async_close", null, 1);

    static final MethodHandle CONSUMER_OPEN = PeerLibrary.status("peer_consumer_open", 2);
    static final MethodHandle CONSUMER_HANDLER = PeerLibrary.function("peer_consumer_handler", JAVA_LONG, 1);
    static final MethodHandle CONSUMER_REQUEST = PeerLibrary.function("peer_consumer_request", null, 2);
    static final MethodHandle CONSUMER_CANCEL = PeerLibrary.status("peer_consumer_cancel", 2);
    static final MethodHandle CONSUMER_USE = PeerLibrary.status("peer_consumer_use", 3);
    static final MethodHandle CONSUMER_STAT = PeerLibrary.function("peer_consumer_stat", JAVA_LONG, 2);
    static final MethodHandle CONSUMER_AWAIT = PeerLibrary.status("peer_consumer_await", 4);
    static final MethodHandle CONSUMER_LOG = PeerLibrary.status("peer_consumer_log", 2);
    static final MethodHandle CONSUMER_CLOSE = PeerLibrary.function("peer_consumer_close", null, 1);

    private PeerAsyncLibrary() {}
}
