package dev.arrowdevice.adbc.internal.search;

import dev.arrowdevice.spi.NativeLibrary;
import java.util.List;

/** The library of a driver, and the names of the function that initialises it, the likeliest first. */
public final class DriverLibrary {
    private final NativeLibrary library;
    private final List<String> entryPoints;

    DriverLibrary(NativeLibrary library, List<String> entryPoints) {
        this.library = library;
        this.entryPoints = List.copyOf(entryPoints);
    }

    /** The library. */
    public NativeLibrary getLibrary() {
        return library;
    }

    /** The names of the entry point. */
    public List<String> getEntryPoints() {
        return entryPoints;
    }
}
