package dev.arrowdevice.peers.go;

import dev.arrowdevice.peers.GoCompiler;
import dev.arrowdevice.peers.UnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The functions of the Go program. Numbers and addresses are all passed as {@code long}. */
public final class GoLibrary {
    private static final @Nullable SymbolLookup SYMBOLS;
    private static final @Nullable String WHY_UNAVAILABLE;

    static {
        SymbolLookup symbols = null;
        String why = null;
        try {
            symbols = load();
        } catch (UnavailableException e) {
            why = e.getMessage();
        }
        SYMBOLS = symbols;
        WHY_UNAVAILABLE = why;
    }

    static final MethodHandle PRODUCE = function("peer_produce", 4);
    static final MethodHandle CONSUME = function("peer_consume", 1);
    static final MethodHandle HANDLER = function("peer_handler", 1);
    static final MethodHandle NEXT = function("peer_next", 1);
    static final MethodHandle SUM = function("peer_sum", 1);
    static final MethodHandle METADATA = function("peer_metadata", 3);
    static final MethodHandle CANCEL = function("peer_cancel", 1);
    static final MethodHandle ERROR = function("peer_job_error", 3);
    static final MethodHandle CLOSE = function("peer_job_close", 1);
    static final MethodHandle ALLOCATED = function("peer_job_allocated", 0);

    private static final long LONGEST_TEXT = 1024;

    private GoLibrary() {}

    /** Why arrow-go cannot be used here, or null where it can. The first call may take minutes: it builds the program. */
    public static @Nullable String whyUnavailable() {
        return WHY_UNAVAILABLE;
    }

    /** The bytes of arrays that arrow-go has made and not freed. */
    public static long bytesAllocated() {
        return call(ALLOCATED);
    }

    /** Calls a function; what it returns means nothing where it returns nothing. */
    static long call(MethodHandle function, long... arguments) {
        try {
            return (long) function.invokeExact(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("a function of the Go program", e);
        }
    }

    /** The text that a function writes, and its result. */
    record Text(long result, String text) {}

    static Text text(MethodHandle function, long job) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_TEXT);
            long result = call(function, job, text.address(), LONGEST_TEXT);
            return new Text(result, text.getString(0));
        }
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup load() {
        String module = System.getProperty("basedir", "");
        Path sources = Path.of(module, "src", "test", "go", "gopeer").toAbsolutePath();
        return SymbolLookup.libraryLookup(GoCompiler.sharedLibrary("gopeer", sources), Arena.global());
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, int parameters) {
        SymbolLookup symbols = SYMBOLS;
        if (symbols == null) {
            // Never called: it takes the place of a method handle.
            return MethodHandles.empty(MethodType.methodType(long.class, long[].class));
        }
        ValueLayout[] arguments = new ValueLayout[parameters];
        Arrays.fill(arguments, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker()
                .downcallHandle(
                        symbols.find(name).orElseThrow(), FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments))
                .asSpreader(long[].class, parameters);
    }
}
