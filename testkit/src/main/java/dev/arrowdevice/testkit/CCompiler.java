package dev.arrowdevice.testkit;

import dev.arrowdevice.testkit.internal.BuildCache;
import dev.arrowdevice.testkit.internal.BuildCache.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The system's C compiler, for tests and benchmarks that need foreign code of their own. A shared library is built once
 * and kept in the user's cache. Its name there is made from its sources and the compiler's version text.
 */
public final class CCompiler {
    private static final List<String> USUAL_NAMES = List.of("cc", "gcc", "clang");
    private static final List<String> FLAGS =
            List.of("-std=gnu11", "-O1", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-pthread");

    private final List<String> command;
    private final String version;

    private CCompiler(List<String> command, String version) {
        this.command = command;
        this.version = version;
    }

    /**
     * Finds the compiler named in the environment variable {@code CC}, else {@code cc}, {@code gcc} or {@code clang}.
     *
     * @param environment the environment variables
     * @throws CCompilerException if there is none
     */
    public static CCompiler find(Map<String, String> environment) {
        String named = environment.get("CC");
        List<String> candidates = named == null || named.isBlank() ? USUAL_NAMES : List.of(named.strip());
        for (String candidate : candidates) {
            List<String> command = List.of(candidate.split("\\s+"));
            String version = versionOf(command);
            if (version != null) {
                return new CCompiler(command, version);
            }
        }
        throw new CCompilerException("A C compiler is needed and none was found under " + candidates
                + ": install gcc or clang (Debian, Ubuntu: apt-get install gcc libc6-dev), or name one in the"
                + " environment variable CC.");
    }

    /**
     * Compiles the sources into one shared library, unless that has been done before.
     *
     * @param name base name of the library
     * @param sources file names and contents; those that end in {@code .c} are compiled
     * @return path of the library
     * @throws CCompilerException with the compiler's output if it fails
     */
    public Path sharedLibrary(String name, Map<String, String> sources) {
        return sharedLibrary(name, "lib" + name + ".so", sources, List.of());
    }

    /**
     * Like {@link #sharedLibrary(String, Map)}, with a file name and compiler options.
     *
     * @param name begins the name of the directory in the cache
     * @param fileName of the library
     * @param sources file names and contents; those that end in {@code .c} are compiled
     * @param options for the compiler, besides the usual ones
     * @return path of the library
     * @throws CCompilerException with the compiler's output if it fails
     */
    public Path sharedLibrary(String name, String fileName, Map<String, String> sources, List<String> options) {
        try {
            return BuildCache.library(
                    name + "-" + hash(sources, options),
                    fileName,
                    (work, built) -> compile(sources, options, work, built));
        } catch (IOException e) {
            throw new CCompilerException("The C sources of " + name + " could not be compiled: " + e, e);
        }
    }

    private void compile(Map<String, String> sources, List<String> options, Path work, Path built) throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(FLAGS);
        line.addAll(options);
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = Files.writeString(work.resolve(source.getKey()), source.getValue());
            if (source.getKey().endsWith(".c")) {
                line.add(file.toString());
            }
        }
        line.add("-o");
        line.add(built.toString());
        Outcome outcome = BuildCache.run(new ProcessBuilder(line));
        if (outcome.code() != 0) {
            throw new CCompilerException("The C sources do not compile with " + command + ":\n" + outcome.output());
        }
    }

    private static @Nullable String versionOf(List<String> command) {
        List<String> line = new ArrayList<>(command);
        line.add("--version");
        try {
            Outcome outcome = BuildCache.run(new ProcessBuilder(line));
            return outcome.code() == 0 ? outcome.output() : null;
        } catch (IOException e) {
            return null;
        }
    }

    private String hash(Map<String, String> sources, List<String> options) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((command + version + FLAGS + options).getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, String> source : sources.entrySet()) {
                digest.update((source.getKey() + '\0' + source.getValue() + '\0').getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime knows SHA-256", e);
        }
    }
}
