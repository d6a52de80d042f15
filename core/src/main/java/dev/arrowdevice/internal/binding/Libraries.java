package dev.arrowdevice.internal.binding;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Opens shared libraries, which stay open. An open library is a function from a symbol to its address, or 0. */
public final class Libraries {
    private Libraries() {}

    /** Opens a file. Null if it does not load. */
    @SuppressWarnings("restricted") // opening a library: what the flag --enable-native-access is for
    public static @Nullable ToLongFunction<String> open(Path file) {
        try {
            return addresses(SymbolLookup.libraryLookup(file.toAbsolutePath(), Arena.global()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Lets the system's loader search for a name. Null if it finds nothing that loads. */
    @SuppressWarnings("restricted") // opening a library: what the flag --enable-native-access is for
    public static @Nullable ToLongFunction<String> open(String name) {
        try {
            return addresses(SymbolLookup.libraryLookup(name, Arena.global()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static ToLongFunction<String> addresses(SymbolLookup library) {
        return symbol -> library.find(symbol).map(MemorySegment::address).orElse(0L);
    }
}
