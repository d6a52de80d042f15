package dev.arrowdevice.oneapi;

import dev.arrowdevice.DeviceUnavailableException;
import dev.arrowdevice.internal.abi.LibrarySearch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds dpctl's C library. {@link SyclRuntime} says where it looks and in which order. */
final class SyclSearch {
    /** The system property that names the library's file. */
    static final String PROPERTY = "dev.arrowdevice.oneapi.library";

    /** The library. */
    static final String NAME = "libDPCTLSyclInterface.so";

    private static final List<String> ENVIRONMENTS = List.of("VIRTUAL_ENV", "CONDA_PREFIX");

    private final @Nullable String configured;
    private final Map<String, String> environment;
    private final LibrarySearch libraries;
    private final String name;

    SyclSearch(@Nullable String configured, Map<String, String> environment, Path memoryMap, String name) {
        this.configured = configured;
        this.environment = environment;
        this.libraries = libraries(memoryMap);
        this.name = name;
    }

    /** The search in this process. */
    static SyclSearch ofProcess() {
        return new SyclSearch(System.getProperty(PROPERTY), System.getenv(), Path.of("/proc/self/maps"), NAME);
    }

    /** The search that looks at one file only. */
    static SyclSearch of(Path file) {
        return new SyclSearch(file.toString(), Map.of(), file, NAME);
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
        LibrarySearch.Found found = libraries.load(files(), List.of(name));
        if (found != null) {
            return found;
        }
        throw new DeviceUnavailableException("there is no " + name + ", the C library of dpctl: it is not in the Python"
                + " environment of " + String.join(" or ", ENVIRONMENTS) + " or known to the system's loader"
                + libraries.brokenText()
                + ". Run pip install dpctl dpcpp-cpp-rt intel-opencl-rt in a Python environment and set -D" + PROPERTY
                + " to its lib/python3.*/site-packages/dpctl/" + NAME);
    }

    private LibrarySearch.Found loadConfigured(Path file) {
        LibrarySearch.Found found = libraries.load(file);
        if (found == null) {
            throw new DeviceUnavailableException("dpctl's library " + file + ", which -D" + PROPERTY + " names, "
                    + (Files.exists(file)
                            ? "does not load; ldd shows whether it lacks a library, such as libsycl.so of dpcpp-cpp-rt"
                            : "does not exist"));
        }
        return found;
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>(libraries.loaded(name::equals));
        for (String variable : ENVIRONMENTS) {
            String root = environment.getOrDefault(variable, "");
            if (!root.isEmpty()) {
                files.addAll(ofEnvironment(Path.of(root)));
            }
        }
        return files;
    }

    private List<Path> ofEnvironment(Path root) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> pythons = Files.newDirectoryStream(root.resolve("lib"), "python3*")) {
            pythons.forEach(python ->
                    files.add(python.resolve("site-packages").resolve("dpctl").resolve(name)));
        } catch (IOException e) {
            return List.of();
        }
        return files;
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
