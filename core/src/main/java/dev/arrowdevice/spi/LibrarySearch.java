package dev.arrowdevice.spi;

import dev.arrowdevice.internal.binding.Libraries;
import dev.arrowdevice.internal.memory.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a shared library is looked for, in the order in which the places are named. Made by {@link NativeLibrary#search}; for one
 * thread. {@link #open} may be called again, and looks again.
 */
public final class LibrarySearch {
    private static final Path MEMORY_MAP = Paths.get("/proc/self/maps");

    private final String wanted;
    private final List<Path> files = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private @Nullable Path configured;
    private String configuredBy = "";

    /** A place to look at; null: there is none. What was looked at and does not load is added to the list. */
    private interface Place {
        @Nullable
        NativeLibrary open(List<Path> broken);
    }

    LibrarySearch(String wanted) {
        this.wanted = wanted;
    }

    /**
     * Names the one file that the user wants, if any: then no other place is looked at.
     *
     * @param file its path; null and "" leave the search as it is
     * @param by who names it, for messages, such as {@code -Dsome.property}
     */
    public LibrarySearch configured(@Nullable String file, String by) {
        if (file != null && !file.isEmpty()) {
            configured = Paths.get(file);
            configuredBy = by;
        }
        return this;
    }

    /**
     * Looks at the libraries that somebody else in the process has loaded. They should go before others where two copies know
     * nothing of each other's memory. Linux only; elsewhere nothing is found.
     *
     * @param fileName whether a file of this name, without its folders, is the library
     */
    public LibrarySearch loaded(Predicate<String> fileName) {
        return loaded(fileName, MEMORY_MAP);
    }

    /**
     * The same for another list of what the process has mapped.
     *
     * @param memoryMap in the form of {@code /proc/self/maps}; a file that does not exist is empty
     */
    public LibrarySearch loaded(Predicate<String> fileName, Path memoryMap) {
        places.add(broken -> firstThatLoads(mapped(memoryMap, fileName), broken));
        return this;
    }

    /** Looks at files, in order. Those that do not exist are skipped. */
    public LibrarySearch files(Collection<Path> candidates) {
        List<Path> copy = new ArrayList<>(candidates);
        files.addAll(copy);
        places.add(broken -> firstThatLoads(copy, broken));
        return this;
    }

    /** Has the system's loader look for names, in order. */
    public LibrarySearch names(Collection<String> names) {
        for (String name : names) {
            files.add(Paths.get(name));
            places.add(broken -> opened(name, Libraries.open(name)));
        }
        return this;
    }

    /**
     * Opens the first library that loads, for the life of the process.
     *
     * @throws NativeLibraryException if there is none
     * @throws UnsupportedOperationException if this Java is older than 22
     * @throws IllegalCallerException if native access is denied to {@code core}
     */
    public NativeLibrary open() {
        // Ahead of any class that refers to java.lang.foreign.
        if (!Platform.HAS_FOREIGN_MEMORY) {
            throw Platform.needsForeignMemory("the " + wanted);
        }
        return configured != null ? openConfigured(configured) : openFirst();
    }

    /**
     * Opens the library of a device's driver, as {@link #open} does, with the exception that a {@link DeviceProvider} throws.
     *
     * @param advice what helps if there is none, without a full stop; the message ends with it
     * @throws DeviceUnavailableException if there is none, or this Java is older than 22
     * @throws IllegalCallerException if native access is denied to {@code core}
     */
    public NativeLibrary openDriver(String advice) {
        try {
            return open();
        } catch (NativeLibraryException e) {
            throw new DeviceUnavailableException(e.getMessage() + ". " + advice, e);
        } catch (UnsupportedOperationException e) {
            throw new DeviceUnavailableException(e.getMessage(), e);
        }
    }

    private NativeLibrary openConfigured(Path file) {
        NativeLibrary library = opened(file.toString(), Libraries.open(file));
        if (library == null) {
            throw new NativeLibraryException("the " + wanted + " " + file + ", which " + configuredBy + " names, "
                    + (Files.exists(file) ? "does not load; ldd shows whether it lacks a library" : "does not exist"));
        }
        return library;
    }

    private NativeLibrary openFirst() {
        List<Path> broken = new ArrayList<>();
        for (Place place : places) {
            NativeLibrary library = place.open(broken);
            if (library != null) {
                return library;
            }
        }
        throw new NativeLibraryException("there is no " + wanted + ": looked for "
                + files.stream().map(Path::toString).distinct().collect(Collectors.joining(", "))
                + (broken.isEmpty()
                        ? ""
                        : "; " + broken.get(0) + " is there and does not load (ldd shows whether it lacks a library)"));
    }

    private static @Nullable NativeLibrary firstThatLoads(List<Path> candidates, List<Path> broken) {
        for (Path file : candidates) {
            if (Files.exists(file)) {
                NativeLibrary library = opened(file.toString(), Libraries.open(file));
                if (library != null) {
                    return library;
                }
                broken.add(file);
            }
        }
        return null;
    }

    private static @Nullable NativeLibrary opened(String name, @Nullable ToLongFunction<String> addresses) {
        return addresses == null ? null : new NativeLibrary(name, addresses);
    }

    private static List<Path> mapped(Path memoryMap, Predicate<String> fileName) {
        if (!Files.isReadable(memoryMap)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(memoryMap)) {
            return lines.filter(line -> line.indexOf('/') >= 0)
                    .filter(line -> fileName.test(line.substring(line.lastIndexOf('/') + 1)))
                    .map(line -> Paths.get(line.substring(line.indexOf('/'))))
                    .distinct()
                    .collect(Collectors.toList());
        } catch (IOException | UncheckedIOException | InvalidPathException e) {
            return List.of();
        }
    }
}
