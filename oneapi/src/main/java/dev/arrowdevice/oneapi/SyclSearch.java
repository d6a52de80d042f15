package dev.arrowdevice.oneapi;

import dev.arrowdevice.memory.DeviceUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    private final Path memoryMap;
    private final String name;
    /** Files that are there and don't load. */
    private final List<Path> broken = new ArrayList<>();

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

    /** The search that looks at one file only. */
    static SyclSearch of(Path file) {
        return new SyclSearch(file.toString(), Map.of(), file, NAME);
    }

    /** What was found: its file, or the name that the system's loader knows it by. */
    record Found(String name, SymbolLookup symbols) {}

    /**
     * Loads the library, for ever.
     *
     * @throws DeviceUnavailableException if there is none that loads
     */
    Found load() {
        if (configured != null && !configured.isEmpty()) {
            return loadConfigured(Path.of(configured));
        }
        for (Path file : files()) {
            SymbolLookup symbols = open(file);
            if (symbols != null) {
                return new Found(file.toString(), symbols);
            }
            broken.add(file);
        }
        SymbolLookup symbols = open(name);
        if (symbols != null) {
            return new Found(name, symbols);
        }
        throw new DeviceUnavailableException("there is no " + name + ", the C library of dpctl: it is not in the Python"
                + " environment of " + String.join(" or ", ENVIRONMENTS) + " or known to the system's loader"
                + brokenText()
                + ". Run pip install dpctl dpcpp-cpp-rt intel-opencl-rt in a Python environment and set -D" + PROPERTY
                + " to its lib/python3.*/site-packages/dpctl/" + NAME);
    }

    private static Found loadConfigured(Path file) {
        SymbolLookup symbols = open(file);
        if (symbols == null) {
            throw new DeviceUnavailableException("dpctl's library " + file + ", which -D" + PROPERTY + " names, "
                    + (Files.exists(file)
                            ? "does not load; ldd shows whether it lacks a library, such as libsycl.so of dpcpp-cpp-rt"
                            : "does not exist"));
        }
        return new Found(file.toString(), symbols);
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>(loadedFiles());
        for (String variable : ENVIRONMENTS) {
            String root = environment.getOrDefault(variable, "");
            if (!root.isEmpty()) {
                files.addAll(ofEnvironment(Path.of(root)));
            }
        }
        files.removeIf(file -> !Files.exists(file));
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

    /**
     * A library that somebody else in the process has loaded, such as dpctl in a Python that runs in it, goes before any
     * other: a second SYCL runtime would know nothing of the first one's memory and events.
     */
    private List<Path> loadedFiles() {
        if (!Files.isReadable(memoryMap)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(memoryMap)) {
            return lines.filter(line -> line.endsWith("/" + name))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .distinct()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private String brokenText() {
        return broken.isEmpty()
                ? ""
                : "; " + broken.get(0) + " is there and does not load (ldd shows whether it lacks a library)";
    }

    @SuppressWarnings("restricted") // loads a library: what the flag --enable-native-access is for
    private static @Nullable SymbolLookup open(Path file) {
        try {
            return SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @SuppressWarnings("restricted")
    private static @Nullable SymbolLookup open(String name) {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
