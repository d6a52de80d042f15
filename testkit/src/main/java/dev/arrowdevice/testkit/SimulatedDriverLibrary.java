package dev.arrowdevice.testkit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One built and loaded simulated driver: its functions for tests, {@code sim_…}. Pointers are passed as {@code long}. */
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
            List.of("cuda_face.h", "cuda_context.c", "cuda_copy.c", "cuda_device.c", "cuda_memory.c", "cuda_stream.c");
    private static final List<String> HIP = List.of("hip_face.h", "hip_device.c", "hip_memory.c", "hip_stream.c");

    /** Those of {@code engine.h}, in its order. */
    enum Option {
        DEVICES,
        DEVICE_BYTES,
        PINNED_BYTES,
        DELAY_MICROS,
        POOLS,
        MANAGED,
        CONCURRENT_MANAGED,
        PEERS,
        CUDA_VERSION
    }

    /** The same. */
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

    /** Those of {@code sim_text}. */
    enum Text {
        LIVE,
        TRACE,
        VIOLATIONS
    }

    final SymbolLookup lookup;
    final MethodHandle setOption;
    final MethodHandle liveOf;
    final MethodHandle textOf;
    final MethodHandle textFree;
    final MethodHandle violations;
    final MethodHandle clearErrors;
    final MethodHandle forget;
    final MethodHandle reset;
    final MethodHandle hostCanRead;
    final MethodHandle peek;
    final MethodHandle poke;
    final MethodHandle holdStream;
    final MethodHandle holdEvent;
    final MethodHandle queued;
    final MethodHandle awaitIdle;
    final MethodHandle failNext;
    final MethodHandle failCopy;
    final MethodHandle loseDevice;

    @SuppressWarnings("restricted") // loads the library that build() has made
    SimulatedDriverLibrary(Path library) {
        lookup = SymbolLookup.libraryLookup(library, Arena.global());
        setOption = function("sim_set", JAVA_INT, 2);
        liveOf = function("sim_live", JAVA_LONG, 2);
        textOf = function("sim_text", JAVA_LONG, 1);
        textFree = function("sim_text_free", null, 1);
        violations = function("sim_violations", JAVA_LONG, 0);
        clearErrors = function("sim_clear_errors", null, 0);
        forget = function("sim_forget", null, 0);
        reset = function("sim_reset", null, 0);
        hostCanRead = function("sim_host_can_read", JAVA_INT, 1);
        peek = function("sim_peek", JAVA_INT, 3);
        poke = function("sim_poke", JAVA_INT, 3);
        holdStream = function("sim_hold", JAVA_INT, 2);
        holdEvent = function("sim_hold_event", JAVA_INT, 2);
        queued = function("sim_queued", JAVA_LONG, 1);
        awaitIdle = function("sim_await_idle", JAVA_LONG, 1);
        failNext = function("sim_fail_next", JAVA_INT, 3);
        failCopy = function("sim_fail_copy", null, 2);
        loseDevice = function("sim_lose_device", null, 2);
    }

    private MethodHandle function(String name, @Nullable MemoryLayout result, int parameters) {
        return PeerLibrary.function(lookup, name, result, parameters);
    }

    /** Compiles it, unless that has been done before. */
    static Path build(SimulatedDriver.Face face, Set<String> without, List<String> options) {
        if (!System.getProperty("os.name", "").startsWith("Linux")) {
            throw new CPeerException(
                    "The simulated driver needs Linux: that is where drivers are found by their soname.");
        }
        List<String> names = Stream.concat(ENGINE.stream(), (face == SimulatedDriver.Face.CUDA ? CUDA : HIP).stream())
                .toList();
        List<String> all = new ArrayList<>(options);
        all.add("-Wl,-soname," + face.fileName());
        if (face != SimulatedDriver.Face.CUDA) {
            all.add("-DSIM_HIP_VERSION=" + face.version());
        }
        for (String function : new TreeSet<>(without)) {
            all.add("-D" + function + "=sim_without_" + function);
        }
        return CCompiler.find(System.getenv())
                .sharedLibrary("simulated", face.fileName(), PeerLibrary.sources("driver/", names), all);
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
                Calls.longOf(violations));
    }

    void set(Option option, long value) {
        requireOk(Calls.two(setOption, option.ordinal(), value), "another value of " + option);
    }

    void hold(long stream, boolean held) {
        requireOk(Calls.two(holdStream, stream, held ? 1 : 0), "a stream that is live and no default one");
    }

    private long live(Kind kind) {
        return Calls.longOf(liveOf, kind.ordinal(), 0);
    }

    private long bytes(Kind kind) {
        return Calls.longOf(liveOf, kind.ordinal(), 1);
    }

    List<String> text(Text which) {
        long text = Calls.longOf(textOf, which.ordinal());
        try {
            return NativeMemory.string(text).lines().toList();
        } finally {
            Calls.run(textFree, text);
        }
    }

    static void requireOk(int code, String wanted) {
        if (code != 0) {
            throw new IllegalArgumentException("the simulated driver needs " + wanted);
        }
    }
}
