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
 * Searches for a shared library, in the order in which the places are named. Made by {@link NativeLibrary#search}. For
 * one thread. {@link #open} may be called again, and searches again.
 */
public final class LibrarySearch {
    private static final Path MEMORY_MAP = Paths.get("/proc/self/maps");

    private final String wanted;
    private final List<Path> files = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private @Nullable Path configured;
    private String configuredBy = "";

    /**
     * Searches one place. Returns null if the library is not there. Files that are there and do not load are added to
     * the list.
     */
    private interface Place {
        @Nullable
        NativeLibrary open(List<Path> broken);
    }

    LibrarySearch(String wanted) {
        this.wanted = wanted;
    }

    /**
     * Names the one file that the user has configured, if any. Then no other place is searched.
     *
     * @param file its path; null or "" leaves the search as it is
     * @param by where it is configured, for messages, such as {@code -Dsome.property}
     */
    public LibrarySearch configured(@Nullable String file, String by) {
        if (file != null && !file.isEmpty()) {
            configured = Paths.get(file);
            configuredBy = by;
        }
        return this;
    }

    /**
     * Searches the libraries that this process has loaded already. Name this place first if two copies of the library
     * would not know each other's memory. Linux only; elsewhere it finds nothing.
     *
     * @param fileName whether a file name, without its folders, is that of the library
     */
    public LibrarySearch loaded(Predicate<String> fileName) {
        return loaded(fileName, MEMORY_MAP);
    }

    /**
     * Like {@link #loaded(Predicate)}, with another list of the files that the process has mapped.
     *
     * @param memoryMap a file in the form of {@code /proc/self/maps}; if it does not exist, it is empty
     */
    public LibrarySearch loaded(Predicate<String> fileName, Path memoryMap) {
        places.add(broken -> firstThatLoads(mapped(memoryMap, fileName), broken));
        return this;
    }

    /** Searches files, in order. Files that do not exist are skipped. */
    public LibrarySearch files(Collection<Path> candidates) {
        List<Path> copy = new ArrayList<>(candidates);
        files.addAll(copy);
        places.add(broken -> firstThatLoads(copy, broken));
        return this;
    }

    /** Lets the system's loader search for names, in order. */
    public LibrarySearch names(Collection<String> names) {
        for (String name : names) {
            files.add(Paths.get(name));
            places.add(broken -> opened(name, Libraries.open(name)));
        }
        return this;
    }

    /**
     * Opens the first library that loads. It stays open as long as the process.
     *
     * @throws NativeLibraryException if there is none
     * @throws UnsupportedOperationException if this Java is older than 22, or native access is denied to {@code core}
     */
    public NativeLibrary open() {
        // Before any class that refers to java.lang.foreign is loaded.
        Platform.requireNativeAccess("the " + wanted);
        return configured != null ? openConfigured(configured) : openFirst();
    }

    /**
     * Opens the library of a device's driver like {@link #open}, but throws the exception of a {@link DeviceProvider}.
     *
     * @param advice how to provide the library, for the end of the message; without a full stop
     * @throws DeviceUnavailableException if there is none, this Java is older than 22, or native access is denied to
     *     {@code core}
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
