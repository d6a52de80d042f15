package dev.arrowdevice.peers;

import dev.arrowdevice.testkit.internal.BuildCache;
import dev.arrowdevice.testkit.internal.BuildCache.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** The Rust toolchain. Shared libraries are built once and kept in the user's cache, like those of the C peer. */
public final class RustCompiler {
    private RustCompiler() {}

    /**
     * Builds the package in that directory as a C shared library, unless that has been done before.
     *
     * @return path of the library
     * @throws UnavailableException if it can't be built here
     * @throws IllegalStateException with what Rust says, if it does not compile
     */
    public static Path sharedLibrary(String name, Path directory) {
        try {
            String version = Toolchain.version("Rust", "cargo", "--version")
                    + Toolchain.version("Rust", "rustc", "--version", "--verbose");
            return BuildCache.library(
                    name + "-" + Toolchain.hash(version, directory),
                    "lib" + name + ".so",
                    (work, built) -> build(name, directory, built));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void build(String name, Path directory, Path built) throws IOException {
        Path target = Files.createTempDirectory("arrow-device-rust");
        try {
            Outcome crates = run(directory, target, "cargo", "fetch", "--locked");
            if (crates.code() != 0) {
                throw new UnavailableException(
                        "Rust can't get its crates: " + crates.output().strip());
            }
            Outcome outcome = run(directory, target, "cargo", "build", "--release", "--locked", "--offline", "--quiet");
            if (outcome.output().contains("is not supported by")) {
                throw new UnavailableException(
                        "This Rust is too old: " + outcome.output().strip());
            }
            if (outcome.code() != 0) {
                throw new IllegalStateException("The Rust peer does not compile:\n" + outcome.output());
            }
            Files.copy(target.resolve("release").resolve("lib" + name + ".so"), built);
        } finally {
            deleteTree(target);
        }
    }

    private static Outcome run(Path directory, Path target, String... command) throws IOException {
        ProcessBuilder process = new ProcessBuilder(command).directory(directory.toFile());
        process.environment().put("CARGO_TARGET_DIR", target.toString());
        return BuildCache.run(process);
    }

    private static void deleteTree(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            List<Path> inner = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : inner) {
                Files.delete(file);
            }
        }
    }
}
