package dev.arrowdevice.rocm;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the HIP runtime. {@link HipRuntime} says where it looks and in which order. */
final class HipSearch {
    /** The system property that names the library's file. */
    static final String PROPERTY = "dev.arrowdevice.rocm.library";

    /** Newest first. Python wheels have only names with a version; development packages also have the name without. */
    static final List<String> NAMES =
            List.of("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so");

    private static final String FILE_NAME = "libamdhip64.so";
    private static final Path DEFAULT_ROCM = Path.of("/opt/rocm");

    private final @Nullable String configured;
    private final Map<String, String> environment;
    private final Path memoryMap;
    private final List<String> names;

    HipSearch(@Nullable String configured, Map<String, String> environment, Path memoryMap, List<String> names) {
        this.configured = configured;
        this.environment = environment;
        this.memoryMap = memoryMap;
        this.names = names;
    }

    /** The search in this process. */
    static HipSearch ofProcess() {
        return new HipSearch(System.getProperty(PROPERTY), System.getenv(), Path.of("/proc/self/maps"), NAMES);
    }

    /** The search that tries one file only. */
    static HipSearch of(Path file) {
        return new HipSearch(file.toString(), Map.of(), file, List.of());
    }

    /**
     * Loads the library, for the life of the process.
     *
     * @throws DeviceUnavailableException if no library can be loaded
     */
    NativeLibrary load() {
        return NativeLibrary.search("HIP runtime")
                .configured(configured, "-D" + PROPERTY)
                .loaded(file -> file.startsWith(FILE_NAME), memoryMap)
                .files(files())
                .names(names)
                .openDriver("Install ROCm 5, 6 or 7, or set ROCM_PATH to where it is, or -D" + PROPERTY
                        + " to the library's file");
    }

    private List<Path> files() {
        return folders().flatMap(folder -> names.stream().map(folder::resolve)).toList();
    }

    private Stream<Path> folders() {
        String rocm = environment.getOrDefault("ROCM_PATH", "");
        return Stream.of(rocm.isEmpty() ? DEFAULT_ROCM : Path.of(rocm), DEFAULT_ROCM)
                .distinct()
                .map(path -> path.resolve("lib"));
    }
}
