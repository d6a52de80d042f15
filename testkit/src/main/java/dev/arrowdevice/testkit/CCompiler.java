package dev.arrowdevice.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The system's C compiler, for tests and benchmarks that need a foreign side of their own. Shared libraries are built once
 * and kept in the user's cache, under a name made from their source and from what the compiler says of itself.
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
     * @throws CPeerException if there is none
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
        throw new CPeerException("A C compiler is needed and none was found under " + candidates
                + ": install gcc or clang (Debian, Ubuntu: apt-get install gcc libc6-dev), or name one in the"
                + " environment variable CC.");
    }

    /**
     * Compiles the sources into one shared library, unless that has been done before.
     *
     * @param name base name of the library
     * @param sources file names and contents; those that end in {@code .c} are compiled
     * @return path of the library
     * @throws CPeerException with the compiler's output if it fails
     */
    public Path sharedLibrary(String name, Map<String, String> sources) {
        return sharedLibrary(name, "lib" + name + ".so", sources, List.of());
    }

    /**
     * The same with a file name and options of its own.
     *
     * @param name begins the name of the directory in the cache
     * @param fileName of the library
     * @param sources file names and contents; those that end in {@code .c} are compiled
     * @param options for the compiler, besides the usual ones
     * @return path of the library
     * @throws CPeerException with the compiler's output if it fails
     */
    public Path sharedLibrary(String name, String fileName, Map<String, String> sources, List<String> options) {
        try {
            Path cache = cacheDirectory().resolve(name + "-" + hash(sources, options));
            Path library = cache.resolve(fileName);
            if (!Files.exists(library)) {
                compile(sources, options, library);
            }
            return library;
        } catch (IOException e) {
            throw new CPeerException("The C sources of " + name + " could not be compiled: " + e, e);
        }
    }

    private void compile(Map<String, String> sources, List<String> options, Path library) throws IOException {
        Path work = Files.createTempDirectory("arrow-device-cc", ownerOnly());
        List<String> line = new ArrayList<>(command);
        line.addAll(FLAGS);
        line.addAll(options);
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = Files.writeString(work.resolve(source.getKey()), source.getValue());
            if (source.getKey().endsWith(".c")) {
                line.add(file.toString());
            }
        }
        Path built = work.resolve("built");
        line.add("-o");
        line.add(built.toString());
        Outcome outcome = run(line);
        if (outcome.code != 0) {
            throw new CPeerException("The C sources do not compile with " + command + ":\n" + outcome.output);
        }
        publish(built, library);
        deleteAll(work);
    }

    /** Puts a file under its final name in one step: several test JVMs may do this at the same time. */
    static void publish(Path built, Path library) throws IOException {
        Path cache = library.getParent();
        createDirectory(cache);
        Path staged = Files.createTempFile(cache, "staged", ".so", ownerOnly());
        Files.copy(built, staged, StandardCopyOption.REPLACE_EXISTING);
        Files.move(staged, library, StandardCopyOption.ATOMIC_MOVE);
    }

    private static @Nullable String versionOf(List<String> command) {
        List<String> line = new ArrayList<>(command);
        line.add("--version");
        try {
            Outcome outcome = run(line);
            return outcome.code == 0 ? outcome.output : null;
        } catch (IOException e) {
            return null;
        }
    }

    record Outcome(int code, String output) {}

    private static Outcome run(List<String> line) throws IOException {
        return run(new ProcessBuilder(line));
    }

    /** Runs a command to its end, with nothing to read; both of its outputs are one. */
    static Outcome run(ProcessBuilder command) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        process.getOutputStream().close();
        try (InputStream output = process.getInputStream()) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + command.command().get(0) + " ran", e);
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

    /** A directory that only this user can write: a library in a shared place could be planted by somebody else. */
    static Path cacheDirectory() throws IOException {
        String named = System.getenv("XDG_CACHE_HOME");
        Path base = named != null && !named.isBlank()
                ? Path.of(named)
                : Path.of(System.getProperty("user.home", ""), ".cache");
        Path cache = base.resolve("arrow-device");
        try {
            createDirectory(cache);
            if (Files.isWritable(cache)) {
                return cache;
            }
        } catch (IOException e) {
            // A home that can't be written, as in some containers: compile for this process alone.
        }
        return Files.createTempDirectory("arrow-device", ownerOnly());
    }

    private static void createDirectory(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, ownerOnly());
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    static FileAttribute<?>[] ownerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    static void deleteAll(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
