package dev.arrowdevice.peers.arrowcpp;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The loaded library: finds its symbols, and reports how much memory its default pool has allocated. */
public final class ArrowCpp {
    private static final @Nullable SymbolLookup SYMBOLS;
    private static final @Nullable String WHY_UNAVAILABLE;

    static {
        SymbolLookup symbols = null;
        String why = null;
        try {
            symbols = load();
        } catch (IOException | RuntimeException | LinkageError failure) {
            why = "Arrow C++ cannot be loaded: " + failure;
        }
        SYMBOLS = symbols;
        WHY_UNAVAILABLE = why;
    }

    private ArrowCpp() {}

    /** Why Arrow C++ cannot be used here, or null where it can. */
    public static @Nullable String whyUnavailable() {
        return WHY_UNAVAILABLE;
    }

    /**
     * The bytes that Arrow C++'s default memory pool has allocated and not freed. Buffers of imported arrays do not
     * count: they belong to the producer.
     */
    public static long bytesAllocated() {
        long pool = defaultMemoryPool();
        return CppFunction.virtual(pool, MEMORY_POOL_BYTES_ALLOCATED).call(pool);
    }

    /** The C++ objects held by Java that were not closed yet. */
    public static long liveObjects() {
        return CppObject.live();
    }

    static long defaultMemoryPool() {
        return DEFAULT_MEMORY_POOL.call();
    }

    static SymbolLookup symbols() {
        SymbolLookup symbols = SYMBOLS;
        if (symbols == null) {
            throw new UnsupportedOperationException(WHY_UNAVAILABLE);
        }
        return symbols;
    }

    /** Slot of {@code MemoryPool::bytes_allocated} in the table of virtual functions; a destructor takes two. */
    private static final int MEMORY_POOL_BYTES_ALLOCATED = 7;

    private static final CppFunction DEFAULT_MEMORY_POOL = CppFunction.named("_ZN5arrow19default_memory_poolEv");

    @SuppressWarnings("restricted")
    private static SymbolLookup load() throws IOException {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (!system.startsWith("linux")) {
            throw new UnsupportedOperationException(
                    "the names of its functions are known for Linux only, not for " + system);
        }
        String machine = System.getProperty("os.arch");
        String folder = machine.equals("aarch64") ? "aarch_64" : "x86_64";
        String resource = "arrow_dataset_jni/" + folder + "/libarrow_dataset_jni.so";
        Path directory = Files.createTempDirectory("arrow-cpp");
        Path library = directory.resolve("libarrow_dataset_jni.so");
        try (InputStream packed = ArrowCpp.class.getClassLoader().getResourceAsStream(resource)) {
            if (packed == null) {
                throw new UnsupportedOperationException("no " + resource + " on the class path");
            }
            Files.copy(packed, library);
            return SymbolLookup.libraryLookup(library, Arena.global());
        } finally {
            // Once mapped, the library needs its file no longer.
            Files.deleteIfExists(library);
            Files.deleteIfExists(directory);
        }
    }
}
