package dev.arrowdevice.adbc.internal.search;

import dev.arrowdevice.adbc.AdbcException;
import dev.arrowdevice.adbc.AdbcStatus;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeLibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A driver in a jar on the class path. It is unpacked once in a process, because a second copy of a library is a second
 * library: it would not see the databases that the first one has open.
 */
final class BundledDriver {
    /** {@code org.duckdb:duckdb_jdbc} has the name of its file end in {@code .so} on every platform. */
    private static final Map<String, String> RESOURCES = Map.of("duckdb", "libduckdb_java.so_%s_%s");

    private static final ConcurrentMap<String, NativeLibrary> UNPACKED = new ConcurrentHashMap<>();

    private BundledDriver() {}

    /** The name of the file with a driver in a jar, null if no jar is known to have this driver. */
    static @Nullable String resource(String driver, Platform platform) {
        String resource = RESOURCES.get(driver);
        return resource == null ? null : String.format(resource, platform.os, platform.arch);
    }

    /** The driver's library, null if no jar has it. */
    static @Nullable NativeLibrary open(String driver, Platform platform) {
        String resource = resource(driver, platform);
        if (resource == null || find(resource) == null) {
            return null;
        }
        return UNPACKED.computeIfAbsent(resource, name -> unpack(driver, name, platform));
    }

    private static NativeLibrary unpack(String driver, String resource, Platform platform) {
        try (InputStream library = find(resource)) {
            if (library == null) {
                throw new IOException("it is gone");
            }
            // A new folder that only this user may enter, so that nobody else can put a library there.
            Path folder = Files.createTempDirectory("arrow-device-" + driver + "-");
            Path file = folder.resolve(platform.fileName(driver));
            try {
                Files.copy(library, file);
                return NativeLibrary.search("ADBC driver " + driver)
                        .files(List.of(file))
                        .open();
            } finally {
                delete(file, folder);
            }
        } catch (IOException e) {
            throw new AdbcException(
                    AdbcStatus.IO,
                    "the ADBC driver " + resource + " in the jars of the class path can't be unpacked: " + e,
                    e);
        } catch (NativeLibraryException e) {
            throw new AdbcException(
                    AdbcStatus.INVALID_ARGUMENT,
                    "the ADBC driver " + resource
                            + " in the jars of the class path does not load: it is no library of this"
                            + " platform, or java.io.tmpdir is on a file system that no library may be loaded from",
                    e);
        }
    }

    private static @Nullable InputStream find(String resource) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        InputStream found = loader == null ? null : loader.getResourceAsStream(resource);
        return found != null ? found : BundledDriver.class.getClassLoader().getResourceAsStream(resource);
    }

    /** A file can be deleted while it is loaded. Windows refuses, and there the exit of the process deletes it. */
    private static void delete(Path file, Path folder) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        } catch (IOException inUse) {
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
        }
    }
}
