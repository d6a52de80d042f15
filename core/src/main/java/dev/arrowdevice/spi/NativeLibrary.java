package dev.arrowdevice.spi;

import java.lang.invoke.MethodHandles;
import java.util.function.ToLongFunction;

/**
 * An open shared library. It stays open as long as the process, because memory, threads and callbacks of a driver may
 * live as long. So there is nothing to close. Opening it again returns the same library.
 *
 * <p>{@code core} opens the library and makes the calls. So a program needs only the flag
 * {@code --enable-native-access=dev.arrowdevice.core}, whatever module binds functions. If native access is denied,
 * opening and binding throw {@link UnsupportedOperationException}. All methods may be called from any thread.
 *
 * <pre>{@code
 * interface Zlib {
 *     long compressBound(long sourceLength);
 *
 *     @NativeFunctions.Optional
 *     int compress2(long target, long targetLength, long source, long sourceLength, int level);
 * }
 *
 * NativeLibrary library = NativeLibrary.search("zlib").names(List.of("libz.so.1")).open();
 * Zlib zlib = library.bind(MethodHandles.lookup(), Zlib.class).getCalls();
 * long bound = zlib.compressBound(1_000);
 * }</pre>
 */
public final class NativeLibrary {
    private final String name;
    private final ToLongFunction<String> addresses;

    NativeLibrary(String name, ToLongFunction<String> addresses) {
        this.name = name;
        this.addresses = addresses;
    }

    /**
     * Begins the search for a library.
     *
     * @param wanted the description of the library in messages: "there is no …", "the …, which … names, does not exist"
     */
    public static LibrarySearch search(String wanted) {
        return new LibrarySearch(wanted);
    }

    /** The file of the library, or its name for the system's loader. */
    public String getName() {
        return name;
    }

    /** The address of a symbol, or 0 if the library has none of this name. */
    public long address(String symbol) {
        return addresses.applyAsLong(symbol);
    }

    /**
     * Binds the functions that an interface declares, by the names of its methods.
     *
     * @param lookup {@code MethodHandles.lookup()} of a class in the interface's package
     * @param functions the interface, as {@link NativeFunctions} describes it
     * @throws IllegalArgumentException if the interface can't be bound
     */
    public <T> NativeFunctions<T> bind(MethodHandles.Lookup lookup, Class<T> functions) {
        return NativeFunctions.of(lookup, functions, addresses, name);
    }

    @Override
    public String toString() {
        return name;
    }
}
