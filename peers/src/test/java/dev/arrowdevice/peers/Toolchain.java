package dev.arrowdevice.peers;

import dev.arrowdevice.testkit.internal.BuildCache;
import dev.arrowdevice.testkit.internal.BuildCache.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** What the compilers of foreign programs have in common. */
final class Toolchain {
    private Toolchain() {}

    /**
     * What a command prints that says which compiler is installed.
     *
     * @throws UnavailableException if it does not run
     */
    static String version(String compiler, String... command) {
        try {
            Outcome outcome = BuildCache.run(new ProcessBuilder(command));
            if (outcome.code() == 0) {
                return outcome.output();
            }
            throw new UnavailableException(
                    compiler + " does not run: " + outcome.output().strip());
        } catch (IOException e) {
            throw new UnavailableException(
                    compiler + " is not installed: " + e.getMessage().strip());
        }
    }

    /** A name for what a compiler of this version makes of all files below the directory. */
    static String hash(String version, Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(version.getBytes(StandardCharsets.UTF_8));
            List<Path> sources = files.filter(Files::isRegularFile).sorted().toList();
            for (Path source : sources) {
                digest.update((directory.relativize(source).toString() + '\0').getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(source));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime knows SHA-256", e);
        }
    }
}
