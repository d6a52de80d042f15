package dev.arrowdevice.testkit;

import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The C peer: its sources, compiled and loaded once. */
final class PeerLibrary {
    private static final List<String> SOURCES = List.of(
            "arrow_abi.h",
            "dlpack_abi.h",
            "peer.h",
            "peer_async.h",
            "peer_async_producer.h",
            "peer_decode.h",
            "peer_produce.h",
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
            "peer_memory.c",
            "peer_nested.c",
            "peer_produce.c",
            "peer_release.c",
            "peer_render.c",
            "peer_schema.c",
            "peer_stream.c",
            "peer_text.c",
            "peer_values.c");

    private static final NativeLibrary LIBRARY = load();

    static final PeerApi API = bind(PeerApi.class);

    private PeerLibrary() {}

    /** The C sources, by file name. */
    static Map<String, String> sources() {
        return sources("peer/", SOURCES);
    }

    /** Sources of the testkit, by file name. */
    static Map<String, String> sources(String folder, List<String> names) {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String name : names) {
            try (InputStream in = PeerLibrary.class.getResourceAsStream(folder + name)) {
                if (in == null) {
                    throw new CPeerException("The testkit lacks its resource " + folder + name);
                }
                sources.put(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sources;
    }

    private static NativeLibrary load() {
        return open(CCompiler.find(System.getenv()).sharedLibrary("arrowpeer", sources()));
    }

    /** Opens a library that was built here. */
    static NativeLibrary open(Path file) {
        return NativeLibrary.search("library of the testkit")
                .files(List.of(file))
                .open();
    }

    /** Functions of the peer. */
    static <T> T bind(Class<T> functions) {
        return bind(LIBRARY, functions);
    }

    /** Functions of a library, all of which must be there. */
    static <T> T bind(NativeLibrary library, Class<T> functions) {
        NativeFunctions<T> bound = library.bind(MethodHandles.lookup(), functions);
        if (!bound.missing().isEmpty()) {
            throw new CPeerException(library + " lacks " + bound.missing());
        }
        return bound.getCalls();
    }
}
