package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeLibrary;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds NVIDIA's driver: the file that the property names, or where the system's loader looks, or where containers put
 * it.
 */
final class CudaSearch {
    /** The system property with the library's file, for a library that the system's loader does not find. */
    static final String PROPERTY = "dev.arrowdevice.cuda.library";

    /** Where containers, and Linux on Windows, put the library without configuring the loader. */
    private static final List<Path> ELSEWHERE =
            List.of(Path.of("/usr/lib/wsl/lib/libcuda.so.1"), Path.of("/usr/local/nvidia/lib64/libcuda.so.1"));

    private final @Nullable String configured;
    private final List<String> names;

    CudaSearch(@Nullable String configured, List<String> names) {
        this.configured = configured;
        this.names = names;
    }

    /** The search in this process. */
    static CudaSearch ofProcess() {
        boolean windows = System.getProperty("os.name", "").startsWith("Windows");
        return new CudaSearch(System.getProperty(PROPERTY), List.of(windows ? "nvcuda.dll" : "libcuda.so.1"));
    }

    /**
     * Loads the library, for the life of the process.
     *
     * @throws DeviceUnavailableException if no library can be loaded
     */
    NativeLibrary load() {
        return NativeLibrary.search("NVIDIA driver")
                .configured(configured, "-D" + PROPERTY)
                .names(names)
                .files(ELSEWHERE)
                .openDriver("Install NVIDIA's driver; -D" + PROPERTY
                        + "=<path> names one that the system's loader does not find");
    }
}
