package dev.arrowdevice.oneapi;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.NativeLibrary;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds dpctl's C library. {@link SyclRuntime} says where it looks and in which order. */
final class SyclSearch {
    /** The system property with the library's file. */
    static final String PROPERTY = "dev.arrowdevice.oneapi.library";

    static final String NAME = "libDPCTLSyclInterface.so";

    private static final List<String> ENVIRONMENTS = List.of("VIRTUAL_ENV", "CONDA_PREFIX");

    private final @Nullable String configured;
    private final Map<String, String> environment;
    private final Path memoryMap;
    private final String name;

    SyclSearch(@Nullable String configured, Map<String, String> environment, Path memoryMap, String name) {
        this.configured = configured;
        this.environment = environment;
        this.memoryMap = memoryMap;
        this.name = name;
    }

    /** The search in this process. */
    static SyclSearch ofProcess() {
        return new SyclSearch(System.getProperty(PROPERTY), System.getenv(), Path.of("/proc/self/maps"), NAME);
    }

    /** The search that tries one file only. */
    static SyclSearch of(Path file) {
        return new SyclSearch(file.toString(), Map.of(), file, NAME);
    }

    /**
     * Loads the library, for the life of the process.
     *
     * @throws DeviceUnavailableException if no library can be loaded
     */
    NativeLibrary load() {
        return NativeLibrary.search("C library of dpctl")
                .configured(configured, "-D" + PROPERTY)
                .loaded(name::equals, memoryMap)
                .files(files())
                .names(List.of(name))
                .openDriver("Run pip install dpctl dpcpp-cpp-rt intel-opencl-rt in a Python environment, which "
                        + String.join(" or ", ENVIRONMENTS) + " names, or set -D" + PROPERTY
                        + " to its lib/python3.*/site-packages/dpctl/" + NAME);
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
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
}
