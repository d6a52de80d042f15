package dev.arrowdevice.testkit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions of {@code peer.h}. Pointers and integers are all passed as {@code long}. */
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

    private static final SymbolLookup LOOKUP = load();

    static final MethodHandle PRODUCE_SCHEMA = status("peer_produce_schema", 3);
    static final MethodHandle PRODUCE_ARRAY = status("peer_produce_array", 3);
    static final MethodHandle PRODUCE_DEVICE_ARRAY = status("peer_produce_device_array", 3);
    static final MethodHandle PRODUCE_DEEP = status("peer_produce_deep", 3);
    static final MethodHandle PRODUCE_STREAM = status("peer_produce_stream", 5);
    static final MethodHandle PRODUCE_DEVICE_STREAM = status("peer_produce_device_stream", 5);
    static final MethodHandle RENDER_ARRAY = status("peer_render_array", 3);
    static final MethodHandle RENDER_SCHEMA = status("peer_render_schema", 2);
    static final MethodHandle CHECK_ARRAY = status("peer_check_array", 4);
    static final MethodHandle CHECK_DEVICE_ARRAY = status("peer_check_device_array", 4);
    static final MethodHandle DRAIN_STREAM = status("peer_drain_stream", 4);
    static final MethodHandle DRAIN_DEVICE_STREAM = status("peer_drain_device_stream", 4);
    static final MethodHandle SKIM_STREAM = status("peer_skim_stream", 2);
    static final MethodHandle ABI_LAYOUT = status("peer_abi_layout", 1);
    static final MethodHandle RELEASE_ON_THREADS = status("peer_release_on_threads", 3);
    static final MethodHandle RELEASE_SOON = status("peer_release_soon", 1);
    static final MethodHandle CHECKSUM = function("peer_checksum", JAVA_LONG, 2);
    static final MethodHandle COUNTER = function("peer_counter", JAVA_LONG, 1);
    static final MethodHandle HEAP_BYTES = function("peer_heap_bytes", JAVA_LONG, 0);
    static final MethodHandle ERROR = function("peer_error", JAVA_LONG, 0);
    static final MethodHandle HOLD_ARRAY = function("peer_hold_array", JAVA_LONG, 1);
    static final MethodHandle RELEASE_HELD = function("peer_release_held", null, 1);
    static final MethodHandle RELEASE_ARRAY = function("peer_release_array", null, 1);
    static final MethodHandle RELEASE_SCHEMA = function("peer_release_schema", null, 1);
    static final MethodHandle RELEASE_STREAM = function("peer_release_stream", null, 1);
    static final MethodHandle RELEASE_DEVICE_STREAM = function("peer_release_device_stream", null, 1);
    static final MethodHandle MOVE_ARRAY = function("peer_move_array", null, 2);
    static final MethodHandle MOVE_SCHEMA = function("peer_move_schema", null, 2);
    static final MethodHandle FREE_DEFERRED = function("peer_free_deferred", null, 0);
    static final MethodHandle JOIN_RELEASES = function("peer_join_releases", null, 0);
    static final MethodHandle TEXT_FREE = function("peer_text_free", null, 1);

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

    @SuppressWarnings("restricted") // loads the library that this class has just built
    private static SymbolLookup load() {
        var library = CCompiler.find(System.getenv()).sharedLibrary("arrowpeer", sources());
        return SymbolLookup.libraryLookup(library, Arena.global());
    }

    static MethodHandle status(String name, int parameters) {
        return function(name, JAVA_INT, parameters);
    }

    static MethodHandle function(String name, @Nullable MemoryLayout result, int parameters) {
        return function(LOOKUP, name, result, parameters);
    }

    @SuppressWarnings("restricted") // the descriptors are those of our C sources
    static MethodHandle function(SymbolLookup lookup, String name, @Nullable MemoryLayout result, int parameters) {
        MemoryLayout[] arguments = new MemoryLayout[parameters];
        Arrays.fill(arguments, JAVA_LONG);
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments);
        return Linker.nativeLinker().downcallHandle(lookup.find(name).orElseThrow(), descriptor);
    }
}
