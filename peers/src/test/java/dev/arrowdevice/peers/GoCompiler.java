package dev.arrowdevice.peers;

import dev.arrowdevice.testkit.internal.BuildCache;
import dev.arrowdevice.testkit.internal.BuildCache.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The Go toolchain. Shared libraries are built once and kept in the user's cache, like those of the C peer. */
public final class GoCompiler {
    private GoCompiler() {}

    /**
     * Builds the program in that directory as a C shared library, unless that has been done before.
     *
     * @return path of the library
     * @throws UnavailableException if it can't be built here
     * @throws IllegalStateException with what Go says, if it does not compile
     */
    public static Path sharedLibrary(String name, Path directory) {
        try {
            String version = Toolchain.version("Go", "go", "env", "GOVERSION", "GOOS", "GOARCH");
            return BuildCache.library(
                    name + "-" + Toolchain.hash(version, directory),
                    "lib" + name + ".so",
                    (work, built) -> build(directory, built));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void build(Path directory, Path built) throws IOException {
        Outcome modules = run(directory, "go", "mod", "download");
        if (modules.code() != 0) {
            throw new UnavailableException(
                    "Go can't get its modules: " + modules.output().strip());
        }
        Outcome outcome =
                run(directory, "go", "build", "-buildmode=c-shared", "-buildvcs=false", "-o", built.toString(), ".");
        if (outcome.code() != 0) {
            throw new IllegalStateException("The Go peer does not compile:\n" + outcome.output());
        }
    }

    private static Outcome run(Path directory, String... command) throws IOException {
        return BuildCache.run(new ProcessBuilder(command).directory(directory.toFile()));
    }
}
