package dev.arrowdevice.rocm;

import dev.arrowdevice.memory.DeviceUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    private static final Path DEFAULT_ROCM = Path.of("/opt/rocm");

    private final @Nullable String configured;
    private final Map<String, String> environment;
    private final Path memoryMap;
    private final List<String> names;
    /** Files that are there and don't load. */
    private final List<Path> broken = new ArrayList<>();

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

    /** The search that looks at one file only. */
    static HipSearch of(Path file) {
        return new HipSearch(file.toString(), Map.of(), file, List.of());
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
        for (String name : names) {
            SymbolLookup symbols = open(name);
            if (symbols != null) {
                return new Found(name, symbols);
            }
        }
        throw new DeviceUnavailableException("there is no HIP runtime: none of " + String.join(", ", names) + " is in "
                + String.join(" or ", folders().map(Path::toString).toArray(String[]::new))
                + " or known to the system's loader" + brokenText()
                + ". Install ROCm 5, 6 or 7, or set ROCM_PATH to where it is, or -D" + PROPERTY
                + " to the library's file");
    }

    private static Found loadConfigured(Path file) {
        SymbolLookup symbols = open(file);
        if (symbols == null) {
            throw new DeviceUnavailableException("the HIP runtime " + file + ", which -D" + PROPERTY + " names, "
                    + (Files.exists(file) ? "does not load; ldd shows whether it lacks a library" : "does not exist"));
        }
        return new Found(file.toString(), symbols);
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>(loadedFiles());
        folders().forEach(folder -> names.forEach(name -> files.add(folder.resolve(name))));
        files.removeIf(file -> !Files.exists(file));
        return files;
    }

    private Stream<Path> folders() {
        String rocm = environment.getOrDefault("ROCM_PATH", "");
        return Stream.of(rocm.isEmpty() ? DEFAULT_ROCM : Path.of(rocm), DEFAULT_ROCM)
                .distinct()
                .map(path -> path.resolve("lib"));
    }

    /**
     * A HIP runtime that somebody else in the process has loaded goes before any other: a second one would know nothing of
     * the first one's memory and events, which arrays that come in are made of.
     */
    private List<Path> loadedFiles() {
        if (!Files.isReadable(memoryMap)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(memoryMap)) {
            return lines.filter(line -> line.contains("/libamdhip64.so"))
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
