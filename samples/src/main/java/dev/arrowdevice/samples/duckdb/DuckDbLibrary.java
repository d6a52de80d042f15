package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeLibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB's native library, taken out of the jar {@code org.duckdb:duckdb_jdbc} and loaded for the life of the process.
 *
 * <p>The jar's classes are not used: the shared library in it exports DuckDB's C API beside the JNI functions.
 */
final class DuckDbLibrary {
    private DuckDbLibrary() {}

    /**
     * The functions of the loaded library.
     *
     * @throws DuckDbException when there is no library for this platform or it does not load; again at each call
     */
    static DuckDbApi api() {
        return Loaded.RESULT.api();
    }

    /**
     * Loads once. A failure is kept instead of failing class initialisation, which would hide its cause at later calls.
     */
    private static final class Loaded {
        static final Outcome RESULT = load();

        private static Outcome load() {
            try {
                return new Outcome(unpackAndLoad(), null);
            } catch (DuckDbException | UncheckedIOException | NativeLibraryException e) {
                return new Outcome(null, e);
            }
        }
    }

    private record Outcome(
            @Nullable DuckDbApi loaded, @Nullable RuntimeException failure) {
        DuckDbApi api() {
            if (loaded == null) {
                throw new DuckDbException("DuckDB's native library is not available: " + failure.getMessage(), failure);
            }
            return loaded;
        }
    }

    /**
     * The library's name in the jar, such as {@code libduckdb_java.so_linux_amd64}; it ends in {@code .so_…} on every
     * platform.
     */
    static String entryName(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String system = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : "linux";
        String arch = osArch.toLowerCase(Locale.ROOT);
        String machine = arch.equals("aarch64") ? "arm64" : arch.equals("x86_64") ? "amd64" : arch;
        return "libduckdb_java.so_" + system + "_" + machine;
    }

    private static DuckDbApi unpackAndLoad() {
        String entry = entryName(System.getProperty("os.name"), System.getProperty("os.arch"));
        try (InputStream library = DuckDbLibrary.class.getClassLoader().getResourceAsStream(entry)) {
            if (library == null) {
                throw new DuckDbException(
                        "no " + entry + " on the class path; org.duckdb:duckdb_jdbc brings it for Linux and Windows on"
                                + " x86-64 and for Linux and macOS on arm64");
            }
            // A fresh folder that only this user may enter: nobody can put another library where we are about to load
            // one.
            Path folder = Files.createTempDirectory(
                    "arrow-device-duckdb-" + ProcessHandle.current().pid() + "-");
            Path file = folder.resolve(System.mapLibraryName("duckdb"));
            try {
                Files.copy(library, file);
                return NativeLibrary.search("DuckDB")
                        .files(List.of(file))
                        .open()
                        .bind(MethodHandles.lookup(), DuckDbApi.class)
                        .getCalls();
            } finally {
                deleteNowOrAtExit(file, folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + entry + ": " + e.getMessage(), e);
        }
    }

    /**
     * A loaded file can be deleted at once on Linux and macOS. Windows holds on to it: there the exit is the first
     * chance.
     */
    private static void deleteNowOrAtExit(Path file, Path folder) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        } catch (IOException stillInUse) {
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
        }
    }
}
