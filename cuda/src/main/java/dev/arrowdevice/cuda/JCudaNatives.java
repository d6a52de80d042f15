package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.DeviceUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import jcuda.CudaException;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import org.jspecify.annotations.Nullable;

/**
 * Loads JCuda's native libraries. By itself JCuda looks for them in its own jar, which fails on the module path. It
 * unpacks them to a file of a fixed name in the directory for temporary files. If such a file exists, JCuda loads it,
 * and anybody on the machine may have put it there. So we put the library into a directory that only this user can
 * write, and name that as the directory for temporary files while JCuda looks.
 */
final class JCudaNatives {
    private static final String TEMPORARY = "java.io.tmpdir";

    private JCudaNatives() {}

    /**
     * Loads a class of JCuda with its library.
     *
     * @param type such as {@code JCudaDriver}
     * @throws DeviceUnavailableException if that fails; the message says why
     */
    static synchronized void load(Class<?> type) {
        try {
            loadFromPrivate(type);
        } catch (LinkageError | CudaException e) {
            throw new DeviceUnavailableException(
                    "JCuda can't load " + fileName(type) + "; is org.jcuda:jcuda-natives:" + JCudaVersion.get()
                            + " for this platform on the class path, and may the directory for temporary files hold"
                            + " programs?",
                    e);
        } catch (IOException e) {
            throw new DeviceUnavailableException(
                    "JCuda's library can't be unpacked to a temporary directory: " + e.getMessage(), e);
        }
    }

    private static void loadFromPrivate(Class<?> type) throws IOException {
        Path directory = Files.createTempDirectory("arrow-device-cuda");
        Path library = directory.resolve(fileName(type));
        try {
            unpack(library);
            initialize(type, directory);
        } finally {
            delete(library);
            delete(directory);
        }
    }

    private static String fileName(Class<?> type) {
        return LibUtils.createLibraryFileName(
                LibUtils.createPlatformLibraryName(type.getSimpleName() + "-" + JCudaVersion.get()));
    }

    /** Without the jar of native libraries nothing is unpacked; the library may still be on the library path. */
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

    private static void initialize(Class<?> type, Path directory) {
        String before = System.setProperty(TEMPORARY, directory.toString());
        try {
            Class.forName(type.getName(), true, type.getClassLoader());
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

    /** A loaded library needs its file on Windows only. */
    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }
}
