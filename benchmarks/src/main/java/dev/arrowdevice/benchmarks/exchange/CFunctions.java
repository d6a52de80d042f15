package dev.arrowdevice.benchmarks.exchange;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.arrowdevice.peers.CPeer;
import dev.arrowdevice.testkit.CCompiler;
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

/** The functions of {@code c_exchange.c}, {@code c_stream.c}, {@code c_async.c} and {@code cpp_exchange.c}, compiled at the first use. */
final class CFunctions {
    private static final SymbolLookup LIBRARY = load();

    private CFunctions() {}

    /** A function that takes pointers and integers, all as {@code long}, and returns nothing. */
    static MethodHandle action(String name, int parameters) {
        return handle(name, FunctionDescriptor.ofVoid(longs(parameters)));
    }

    /** A function that takes pointers and integers and returns one. */
    static MethodHandle function(String name, int parameters) {
        return handle(name, FunctionDescriptor.of(JAVA_LONG, longs(parameters)));
    }

    @SuppressWarnings("restricted") // the descriptors are those of our C sources
    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(LIBRARY.find(name).orElseThrow(), descriptor);
    }

    private static MemoryLayout[] longs(int count) {
        MemoryLayout[] longs = new MemoryLayout[count];
        Arrays.fill(longs, JAVA_LONG);
        return longs;
    }

    @SuppressWarnings("restricted") // loads the library that it has just built
    private static SymbolLookup load() {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("arrow_abi.h", source(CPeer.class, "c/arrow_abi.h"));
        sources.put("c_exchange.c", source(CFunctions.class, "c_exchange.c"));
        sources.put("c_stream.c", source(CFunctions.class, "c_stream.c"));
        sources.put("c_async.c", source(CFunctions.class, "c_async.c"));
        sources.put("cpp_exchange.c", source(CFunctions.class, "cpp_exchange.c"));
        CCompiler compiler = CCompiler.find(System.getenv());
        var library = compiler.sharedLibrary("benchmarks", "libbenchmarks.so", sources, List.of("-O2"));
        return SymbolLookup.libraryLookup(library, Arena.global());
    }

    private static String source(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
