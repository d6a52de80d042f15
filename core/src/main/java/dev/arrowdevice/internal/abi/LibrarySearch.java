package dev.arrowdevice.internal.abi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a driver's shared library and loads it, for ever. The module that looks passes the functions that load: it is the
 * one that {@code --enable-native-access} must name.
 */
public final class LibrarySearch {
    private final Path memoryMap;
    private final Function<Path, SymbolLookup> byFile;
    private final Function<String, SymbolLookup> byName;
    /** Files that are there and don't load. */
    private final List<Path> broken = new ArrayList<>();

    /**
     * Prepares a search.
     *
     * @param memoryMap what the process has mapped, as {@code /proc/self/maps} has it; it need not exist
     * @param byFile loads a file, or throws {@link IllegalArgumentException}
     * @param byName has the system's loader look for a name, or throws {@link IllegalArgumentException}
     */
    public LibrarySearch(Path memoryMap, Function<Path, SymbolLookup> byFile, Function<String, SymbolLookup> byName) {
        this.memoryMap = memoryMap;
        this.byFile = byFile;
        this.byName = byName;
    }

    /** What was found: its file, or the name that the system's loader knows it by. */
    public record Found(String name, SymbolLookup symbols) {}

    /** Loads a file; null if that fails. */
    public @Nullable Found load(Path file) {
        try {
            return new Found(file.toString(), byFile.apply(file));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Loads the first of the files, then of the names, that loads; null if none does. Files that are not there are skipped. */
    public @Nullable Found load(List<Path> files, List<String> names) {
        for (Path file : files) {
            Found found = Files.exists(file) ? load(file) : null;
            if (found != null) {
                return found;
            }
            if (Files.exists(file)) {
                broken.add(file);
            }
        }
        for (String name : names) {
            try {
                return new Found(name, byName.apply(name));
            } catch (IllegalArgumentException e) {
                continue;
            }
        }
        return null;
    }

    /**
     * The files of a library that somebody else in the process has loaded. They go before any other: a second one would know
     * nothing of the first one's memory and events, which arrays that come in are made of.
     *
     * @param fileName whether a file of this name is the library
     */
    public List<Path> loaded(Predicate<String> fileName) {
        if (!Files.isReadable(memoryMap)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(memoryMap)) {
            return lines.filter(line -> line.indexOf('/') >= 0)
                    .filter(line -> fileName.test(line.substring(line.lastIndexOf('/') + 1)))
                    .map(line -> Paths.get(line.substring(line.indexOf('/'))))
                    .distinct()
                    .collect(Collectors.toList());
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** For a message: the first file that is there and does not load, after a semicolon; empty if there is none. */
    public String brokenText() {
        return broken.isEmpty()
                ? ""
                : "; " + broken.get(0) + " is there and does not load (ldd shows whether it lacks a library)";
    }
}
