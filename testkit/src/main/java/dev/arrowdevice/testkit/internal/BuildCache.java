package dev.arrowdevice.testkit.internal;

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

/** Shared libraries that are built once and kept in the user's cache. */
public final class BuildCache {
    private BuildCache() {}

    /** Builds a library. */
    @FunctionalInterface
    public interface Build {
        /**
         * Builds the library.
         *
         * @param work an empty directory, which is deleted afterwards; leave no directories in it
         * @param built the file to write the library to
         */
        void run(Path work, Path built) throws IOException;
    }

    /**
     * The result of a command.
     *
     * @param code its exit status
     * @param output all that it printed
     */
    public record Outcome(int code, String output) {}

    /**
     * The path of a library, which is built unless that has been done before.
     *
     * @param directory its directory in the cache; the name says what the library is made from
     * @param fileName its name there
     * @param build builds it
     */
    public static Path library(String directory, String fileName, Build build) throws IOException {
        Path library = cacheDirectory().resolve(directory).resolve(fileName);
        if (!Files.exists(library)) {
            Path work = Files.createTempDirectory("arrow-device-build", ownerOnly());
            try {
                Path built = work.resolve("built");
                build.run(work, built);
                publish(built, library);
            } finally {
                deleteAll(work);
            }
        }
        return library;
    }

    /** Runs a command to its end, without input. Both of its outputs are read as one. */
    public static Outcome run(ProcessBuilder command) throws IOException {
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

    /** Moves a file to its final name in one step, because several test JVMs may do so at the same time. */
    private static void publish(Path built, Path library) throws IOException {
        Path cache = library.getParent();
        createDirectory(cache);
        Path staged = Files.createTempFile(cache, "staged", ".so", ownerOnly());
        Files.copy(built, staged, StandardCopyOption.REPLACE_EXISTING);
        Files.move(staged, library, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A directory that only this user can write. In a shared one, somebody else could replace the library. */
    private static Path cacheDirectory() throws IOException {
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
            // In some containers the home directory can't be written: compile for this process alone.
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

    private static FileAttribute<?>[] ownerOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    private static void deleteAll(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
