package dev.arrowdevice.testkit.internal;

import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A library that was built here from C sources, which are resources beside a class. */
public final class BuiltLibrary {
    private final NativeLibrary library;

    private BuiltLibrary(NativeLibrary library) {
        this.library = library;
    }

    /**
     * Reads sources, by file name.
     *
     * @param beside a class in the package with the resources
     * @param folder the folder there, with a slash at its end
     * @param names the names of the files
     */
    public static Map<String, String> sources(Class<?> beside, String folder, List<String> names) {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String name : names) {
            try (InputStream in = beside.getResourceAsStream(folder + name)) {
                if (in == null) {
                    throw new IllegalStateException("the resource " + folder + name + " is missing");
                }
                sources.put(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sources;
    }

    /** Opens a library for the life of the process. */
    public static BuiltLibrary open(Path file) {
        return new BuiltLibrary(NativeLibrary.search("library of the testkit")
                .files(List.of(file))
                .open());
    }

    /** The address of a function; 0 where the library lacks it. */
    public long address(String symbol) {
        return library.address(symbol);
    }

    /**
     * Binds functions. All of them must exist.
     *
     * @param lookup of the class that may see the interface
     * @param functions the interface that declares them
     */
    public <T> T bind(MethodHandles.Lookup lookup, Class<T> functions) {
        NativeFunctions<T> bound = library.bind(lookup, functions);
        if (!bound.missing().isEmpty()) {
            throw new IllegalStateException(library + " lacks " + bound.missing());
        }
        return bound.getCalls();
    }
}
