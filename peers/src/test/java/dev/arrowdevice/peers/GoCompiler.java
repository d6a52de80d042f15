package dev.arrowdevice.peers;

import dev.arrowdevice.testkit.internal.BuildCache;
import dev.arrowdevice.testkit.internal.BuildCache.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The Go toolchain. Shared libraries are built once and kept in the user's cache, like those of the C peer. */
public final class GoCompiler {
    private GoCompiler() {}

    /** Go, a module that a program needs, or a version of Go that it needs, is not to be had here. */
    public static final class UnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnavailableException(String message) {
            super(message);
        }
    }

    /**
     * Builds the program in that directory as a C shared library, unless that has been done before.
     *
     * @return path of the library
     * @throws UnavailableException if it can't be built here
     * @throws IllegalStateException with what Go says, if it does not compile
     */
    public static Path sharedLibrary(String name, Path directory) {
        try {
            String version = version();
            return BuildCache.library(
                    name + "-" + hash(version, directory),
                    "lib" + name + ".so",
                    (work, built) -> build(directory, built));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String version() {
        try {
            Outcome outcome = BuildCache.run(new ProcessBuilder("go", "env", "GOVERSION", "GOOS", "GOARCH"));
            if (outcome.code() == 0) {
                return outcome.output();
            }
            throw new UnavailableException(
                    "Go does not run: " + outcome.output().strip());
        } catch (IOException e) {
            throw new UnavailableException(
                    "Go is not installed: " + e.getMessage().strip());
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

    private static String hash(String version, Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(version.getBytes(StandardCharsets.UTF_8));
            List<Path> sources = files.filter(Files::isRegularFile).sorted().toList();
            for (Path source : sources) {
                digest.update((source.getFileName().toString() + '\0').getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(source));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime knows SHA-256", e);
        }
    }
}
