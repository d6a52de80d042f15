package dev.arrowdevice.testkit;

import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.testkit.internal.BuiltLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A simulated driver that is built and loaded: the functions that it has for tests, {@code sim_…}. Pointers are passed
 * as {@code long}.
 */
final class SimulatedDriverLibrary {
    private static final List<String> ENGINE = List.of(
            "engine.h",
            "engine_text.h",
            "engine_call.c",
            "engine_control.c",
            "engine_copy.c",
            "engine_event.c",
            "engine_fault.c",
            "engine_memory.c",
            "engine_run.c",
            "engine_stream.c",
            "engine_table.c",
            "engine_trace.c");
    private static final List<String> CUDA =
            List.of("cuda_api.h", "cuda_context.c", "cuda_copy.c", "cuda_device.c", "cuda_memory.c", "cuda_stream.c");
    private static final List<String> HIP = List.of("hip_api.h", "hip_device.c", "hip_memory.c", "hip_stream.c");

    /** The options of {@code engine.h}, in its order. */
    enum Option {
        DEVICES,
        DEVICE_BYTES,
        PINNED_BYTES,
        DELAY_MICROS,
        POOLS,
        MANAGED,
        CONCURRENT_MANAGED,
        PEERS,
        CUDA_VERSION,
        MODES
    }

    /** The kinds of memory of {@code engine.h}, in its order. */
    enum Kind {
        DEVICE,
        POOL,
        PINNED,
        MANAGED,
        STREAM,
        EVENT,
        CONTEXT,
        CURRENT,
        CALLBACK,
        QUEUED
    }

    /** The texts that {@code sim_text} returns, in its order. */
    enum Text {
        LIVE,
        TRACE,
        VIOLATIONS
    }

    /** The driver's own functions, for code that calls them directly. */
    final SymbolLookup lookup;

    /** The functions for tests. */
    final SimulatedDriverApi api;

    SimulatedDriverLibrary(Path file) {
        BuiltLibrary library = BuiltLibrary.open(file);
        lookup = symbol -> {
            long address = library.address(symbol);
            return address == 0 ? Optional.empty() : Optional.of(MemorySegment.ofAddress(address));
        };
        api = library.bind(MethodHandles.lookup(), SimulatedDriverApi.class);
    }

    /** Compiles the library, unless that has been done before. */
    static Path build(SimulatedDriver.Library face, Set<String> without, List<String> options) {
        if (!System.getProperty("os.name", "").startsWith("Linux")) {
            throw new UnsupportedOperationException(
                    "The simulated driver needs Linux: that is where drivers are found by their soname.");
        }
        List<String> names = Stream.concat(
                        ENGINE.stream(), (face == SimulatedDriver.Library.CUDA ? CUDA : HIP).stream())
                .toList();
        List<String> all = new ArrayList<>(options);
        all.add("-Wl,-soname," + face.fileName());
        if (face != SimulatedDriver.Library.CUDA) {
            all.add("-DSIM_HIP_VERSION=" + face.version());
        }
        for (String function : new TreeSet<>(without)) {
            all.add("-D" + function + "=sim_without_" + function);
        }
        Map<String, String> sources = BuiltLibrary.sources(SimulatedDriverLibrary.class, "driver/", names);
        return CCompiler.find(System.getenv()).sharedLibrary("simulated", face.fileName(), sources, all);
    }

    SimulatedDriverCounters counters() {
        return new SimulatedDriverCounters(
                live(Kind.DEVICE),
                bytes(Kind.DEVICE),
                live(Kind.POOL),
                bytes(Kind.POOL),
                live(Kind.PINNED),
                bytes(Kind.PINNED),
                live(Kind.MANAGED),
                bytes(Kind.MANAGED),
                live(Kind.STREAM),
                live(Kind.EVENT),
                live(Kind.CONTEXT),
                live(Kind.CURRENT),
                live(Kind.CALLBACK),
                live(Kind.QUEUED),
                api.sim_violations());
    }

    Supplier<List<String>> count() {
        SimulatedDriverCounters before = counters();
        return () -> {
            List<String> out = counters().unbalancedSince(before);
            if (!out.isEmpty()) {
                out.addAll(text(Text.VIOLATIONS));
            }
            return out;
        };
    }

    void set(Option option, long value) {
        requireOk(api.sim_set(option.ordinal(), value), "another value of " + option);
    }

    void pause(long stream, boolean paused) {
        requireOk(api.sim_pause(stream, paused ? 1 : 0), "a stream that is live and no default one");
    }

    private long live(Kind kind) {
        return api.sim_live(kind.ordinal(), 0);
    }

    private long bytes(Kind kind) {
        return api.sim_live(kind.ordinal(), 1);
    }

    List<String> text(Text which) {
        long text = api.sim_text(which.ordinal());
        try {
            return NativeMemory.getString(text, Integer.MAX_VALUE).lines().toList();
        } finally {
            api.sim_text_free(text);
        }
    }

    static void requireOk(int code, String wanted) {
        if (code != 0) {
            throw new IllegalArgumentException("the simulated driver needs " + wanted);
        }
    }
}
