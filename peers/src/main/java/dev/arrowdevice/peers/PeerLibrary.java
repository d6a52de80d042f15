package dev.arrowdevice.peers;

import dev.arrowdevice.testkit.CCompiler;
import dev.arrowdevice.testkit.internal.BuiltLibrary;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;

/** The C peer: its sources, compiled and loaded once. */
final class PeerLibrary {
    private static final List<String> SOURCES = List.of(
            "arrow_abi.h",
            "dlpack_abi.h",
            "guarded_heap.h",
            "peer.h",
            "peer_async.h",
            "peer_async_producer.h",
            "peer_decode.h",
            "peer_heap.h",
            "peer_produce.h",
            "guarded_heap.c",
            "peer_abi.c",
            "peer_async_calls.c",
            "peer_async_consumer.c",
            "peer_async_monitor.c",
            "peer_async_producer.c",
            "peer_async_tasks.c",
            "peer_check.c",
            "peer_decode.c",
            "peer_dlpack.c",
            "peer_drain.c",
            "peer_format.c",
            "peer_heap.c",
            "peer_memory.c",
            "peer_nested.c",
            "peer_produce.c",
            "peer_release.c",
            "peer_render.c",
            "peer_schema.c",
            "peer_stream.c",
            "peer_text.c",
            "peer_values.c");

    private static final BuiltLibrary LIBRARY = load();

    static final PeerApi API = bind(PeerApi.class);

    static {
        if ("guarded".equals(System.getProperty("memory"))) {
            API.peer_guard_memory();
        }
    }

    private PeerLibrary() {}

    private static BuiltLibrary load() {
        Map<String, String> sources = BuiltLibrary.sources(PeerLibrary.class, "c/", SOURCES);
        return BuiltLibrary.open(CCompiler.find(System.getenv()).sharedLibrary("arrowpeer", sources));
    }

    /** Functions of the peer. */
    static <T> T bind(Class<T> functions) {
        return LIBRARY.bind(MethodHandles.lookup(), functions);
    }
}
