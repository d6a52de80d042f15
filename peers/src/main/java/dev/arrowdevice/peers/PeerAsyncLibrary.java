package dev.arrowdevice.peers;

/** The functions of {@code peer_async.h}, bound when they are needed. */
final class PeerAsyncLibrary {
    static final PeerAsyncApi API = PeerLibrary.bind(PeerAsyncApi.class);

    private PeerAsyncLibrary() {}
}
