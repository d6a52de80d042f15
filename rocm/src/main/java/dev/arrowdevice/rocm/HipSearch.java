package dev.arrowdevice.rocm;

import dev.arrowdevice.DeviceUnavailableException;
import dev.arrowdevice.internal.abi.LibrarySearch;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the HIP runtime. {@link HipRuntime} says where it looks and in which order. */
final class HipSearch {
    /** The system property that names the library's file. */
    static final String PROPERTY = "dev.arrowdevice.rocm.library";

    /** Newest first. Wheels ship no name without a version, development packages have it. */
    static final List<String> NAMES =
            List.of("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so");

    private static final String FILE_NAME = "libamdhip64.so";
    private static final Path DEFAULT_ROCM = Path.of("/opt/rocm");

    private final @Nullable String configured;
    private final Map<String, String> environment;
    private final LibrarySearch libraries;
    private final List<String> names;

    HipSearch(@Nullable String configured, Map<String, String> environment, Path memoryMap, List<String> names) {
        this.configured = configured;
        this.environment = environment;
        this.libraries = libraries(memoryMap);
        this.names = names;
    }

    /** The search in this process. */
    static HipSearch ofProcess() {
        return new HipSearch(System.getProperty(PROPERTY), System.getenv(), Path.of("/proc/self/maps"), NAMES);
    }

    /** The search that looks at one file only. */
    static HipSearch of(Path file) {
        return new HipSearch(file.toString(), Map.of(), file, List.of());
    }

    /**
     * Loads the library, for ever.
     *
     * @throws DeviceUnavailableException if there is none that loads
     */
    LibrarySearch.Found load() {
        if (configured != null && !configured.isEmpty()) {
            return loadConfigured(Path.of(configured));
        }
        LibrarySearch.Found found = libraries.load(files(), names);
        if (found != null) {
            return found;
        }
        throw new DeviceUnavailableException("there is no HIP runtime: none of " + String.join(", ", names) + " is in "
                + String.join(" or ", folders().map(Path::toString).toArray(String[]::new))
                + " or known to the system's loader" + libraries.brokenText()
                + ". Install ROCm 5, 6 or 7, or set ROCM_PATH to where it is, or -D" + PROPERTY
                + " to the library's file");
    }

    private LibrarySearch.Found loadConfigured(Path file) {
        LibrarySearch.Found found = libraries.load(file);
        if (found == null) {
            throw new DeviceUnavailableException("the HIP runtime " + file + ", which -D" + PROPERTY + " names, "
                    + (Files.exists(file) ? "does not load; ldd shows whether it lacks a library" : "does not exist"));
        }
        return found;
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>(libraries.loaded(file -> file.startsWith(FILE_NAME)));
        folders().forEach(folder -> names.forEach(name -> files.add(folder.resolve(name))));
        return files;
    }

    private Stream<Path> folders() {
        String rocm = environment.getOrDefault("ROCM_PATH", "");
        return Stream.of(rocm.isEmpty() ? DEFAULT_ROCM : Path.of(rocm), DEFAULT_ROCM)
                .distinct()
                .map(path -> path.resolve("lib"));
    }

    /** The functions that load lie in this module: it is what the flag --enable-native-access is for. */
    @SuppressWarnings("restricted")
    private static LibrarySearch libraries(Path memoryMap) {
        return new LibrarySearch(
                memoryMap,
                file -> SymbolLookup.libraryLookup(file, Arena.global()),
                name -> SymbolLookup.libraryLookup(name, Arena.global()));
    }
}
