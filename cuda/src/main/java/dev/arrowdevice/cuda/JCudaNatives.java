package dev.arrowdevice.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * Gets JCuda's native library loaded. Left alone JCuda looks for it in its own jar, which fails on the module path, and
 * unpacks it to, or takes it from, a file of a fixed name in the directory for temporary files, where anybody on the machine
 * may have put one. A file that is there already it takes: so we put it into a directory that only this user can
 * write, and name that as the directory for temporary files while JCuda looks.
 */
final class JCudaNatives {
    private static final String TEMPORARY = "java.io.tmpdir";

    private JCudaNatives() {}

    /**
     * Loads JCuda's driver class with its library.
     *
     * @throws LinkageError if that fails
     * @throws IOException if the library can't be unpacked
     */
    static synchronized void load() throws IOException {
        Path directory = Files.createTempDirectory("arrow-device-cuda");
        Path library = directory.resolve(fileName());
        try {
            unpack(library);
            initialize(directory);
        } finally {
            delete(library);
            delete(directory);
        }
    }

    static String fileName() {
        return LibUtils.createLibraryFileName(LibUtils.createPlatformLibraryName("JCudaDriver-" + JCudaVersion.get()));
    }

    /** Without the jar of natives nothing is unpacked: then the library may still lie on the library path. */
    private static void unpack(Path library) throws IOException {
        try (InputStream in = resource("lib/" + library.getFileName())) {
            if (in != null) {
                Files.copy(in, library);
            }
        }
    }

    private static @Nullable InputStream resource(String name) {
        ClassLoader own = JCudaNatives.class.getClassLoader();
        InputStream found = own == null ? null : own.getResourceAsStream(name);
        return found != null ? found : ClassLoader.getSystemResourceAsStream(name);
    }

    private static void initialize(Path directory) {
        String before = System.setProperty(TEMPORARY, directory.toString());
        try {
            Class.forName(JCudaDriver.class.getName(), true, JCudaDriver.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(e.getMessage());
        } finally {
            if (before == null) {
                System.clearProperty(TEMPORARY);
            } else {
                System.setProperty(TEMPORARY, before);
            }
        }
    }

    /** A library that has been loaded needs no file any more, but on Windows. */
    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }
}
