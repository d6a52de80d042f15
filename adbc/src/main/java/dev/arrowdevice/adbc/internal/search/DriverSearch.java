package dev.arrowdevice.adbc.internal.search;

import dev.arrowdevice.adbc.AdbcException;
import dev.arrowdevice.adbc.AdbcStatus;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeLibraryException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a driver by a path or a name. A name is looked for as ADBC's driver manager does: as a manifest or a library in
 * the folders of drivers; then in jars on the class path; then by the system's loader.
 */
public final class DriverSearch {
    private static final String PREFIX = "adbc_driver_";

    private final Platform platform;
    private final Function<String, @Nullable String> environment;
    private final Path home;
    private final List<Path> folders;
    private final List<String> looked = new ArrayList<>();

    DriverSearch(Platform platform, Function<String, @Nullable String> environment, Path home, List<Path> folders) {
        this.platform = platform;
        this.environment = environment;
        this.home = home;
        this.folders = folders;
    }

    /**
     * Finds and opens a driver.
     *
     * @param driver a name, such as {@code sqlite}, or the path of a library or a manifest
     * @param entryPoint the function that initialises it; null for that of the manifest, or the usual names
     * @param folders where to look first
     * @throws AdbcException if there is none; the message says where it was looked for, and what was there
     */
    public static DriverLibrary find(String driver, @Nullable String entryPoint, List<Path> folders) {
        return new DriverSearch(Platform.current(), System::getenv, Path.of(System.getProperty("user.home")), folders)
                .find(driver, entryPoint);
    }

    DriverLibrary find(String driver, @Nullable String entryPoint) {
        if (driver.isEmpty()) {
            throw new AdbcException(AdbcStatus.INVALID_ARGUMENT, "the name of the ADBC driver is empty", null);
        }
        boolean isPath = driver.indexOf('/') >= 0 || driver.indexOf(File.separatorChar) >= 0;
        if (isPath || driver.endsWith(".toml")) {
            DriverLibrary found = at(Path.of(driver), entryPoint);
            if (found == null) {
                throw notFound(driver);
            }
            return found;
        }
        for (Path folder : folders()) {
            DriverLibrary found = in(folder, driver, entryPoint);
            if (found != null) {
                return found;
            }
        }
        NativeLibrary bundled = BundledDriver.open(driver, platform);
        if (bundled != null) {
            return new DriverLibrary(bundled, entryPoints(entryPoint, null, driver));
        }
        String resource = BundledDriver.resource(driver, platform);
        if (resource != null) {
            looked.add(resource + " in the jars of the class path");
        }
        return bySystem(driver, entryPoint);
    }

    /** The folders of drivers, in ADBC's order. */
    List<Path> folders() {
        List<Path> all = new ArrayList<>(folders);
        String path = environment.apply("ADBC_DRIVER_PATH");
        if (path != null) {
            Stream.of(path.split(platform.isWindows() ? ";" : ":"))
                    .filter(folder -> !folder.isEmpty())
                    .forEach(folder -> all.add(Path.of(folder)));
        }
        for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
            String prefix = environment.apply(variable);
            if (prefix != null && !prefix.isEmpty()) {
                all.add(Path.of(prefix, "etc", "adbc", "drivers"));
            }
        }
        all.add(ofUser());
        all.add(
                platform.isMac()
                        ? Path.of("/Library/Application Support/ADBC/Drivers")
                        : platform.isWindows()
                                ? Path.of(orElse("ProgramData", "C:\\ProgramData"), "ADBC", "Drivers")
                                : Path.of("/etc/adbc/drivers"));
        return all;
    }

    private Path ofUser() {
        if (platform.isMac()) {
            return home.resolve("Library/Application Support/ADBC/Drivers");
        }
        if (platform.isWindows()) {
            return Path.of(orElse("LOCALAPPDATA", home.resolve("AppData/Local").toString()), "ADBC", "Drivers");
        }
        return Path.of(orElse("XDG_CONFIG_HOME", home.resolve(".config").toString()), "adbc", "drivers");
    }

    private String orElse(String variable, String otherwise) {
        String value = environment.apply(variable);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private @Nullable DriverLibrary in(Path folder, String driver, @Nullable String entryPoint) {
        for (String file :
                List.of(driver + ".toml", platform.fileName(driver), platform.fileName(PREFIX + driver), driver)) {
            DriverLibrary found = at(folder.resolve(file), entryPoint);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The manifest or library that is a file; null if it is none. */
    private @Nullable DriverLibrary at(Path file, @Nullable String entryPoint) {
        if (!Files.isRegularFile(file)) {
            looked.add(file.toString());
            return null;
        }
        if (!file.toString().endsWith(".toml")) {
            return new DriverLibrary(open(file, ""), entryPoints(entryPoint, null, file.toString()));
        }
        DriverManifest manifest = DriverManifest.read(file, platform);
        return new DriverLibrary(
                open(manifest.library, ", which the manifest " + file + " names,"),
                entryPoints(entryPoint, manifest.entryPoint, manifest.library.toString()));
    }

    private NativeLibrary open(Path file, String because) {
        if (!Files.isRegularFile(file)) {
            throw new AdbcException(
                    AdbcStatus.NOT_FOUND, "the ADBC driver " + file + because + " does not exist", null);
        }
        try {
            return NativeLibrary.search("ADBC driver").files(List.of(file)).open();
        } catch (NativeLibraryException e) {
            String machine = Machine.of(file);
            throw new AdbcException(
                    AdbcStatus.INVALID_ARGUMENT,
                    "the ADBC driver " + file + because + " does not load: "
                            + (machine == null || machine.equals(platform.arch)
                                    ? "it is no library of this platform, or lacks a library (ldd shows which)"
                                    : "it is made for " + machine + ", and this JVM runs on " + platform.arch),
                    e);
        }
    }

    private DriverLibrary bySystem(String driver, @Nullable String entryPoint) {
        for (String name : List.of(platform.fileName(PREFIX + driver), platform.fileName(driver))) {
            try {
                NativeLibrary library =
                        NativeLibrary.search("ADBC driver").names(List.of(name)).open();
                return new DriverLibrary(library, entryPoints(entryPoint, null, name));
            } catch (NativeLibraryException e) {
                looked.add(name + " where the system's loader looks");
            }
        }
        throw notFound(driver);
    }

    private static List<String> entryPoints(@Nullable String asked, @Nullable String ofManifest, String library) {
        return asked != null ? List.of(asked) : ofManifest != null ? List.of(ofManifest) : EntryPoints.of(library);
    }

    private AdbcException notFound(String driver) {
        String there = folders().stream()
                .filter(Files::isDirectory)
                .map(folder -> folder + " has " + content(folder))
                .collect(Collectors.joining("; "));
        return new AdbcException(
                AdbcStatus.NOT_FOUND,
                "there is no ADBC driver " + driver
                        + ". Pass the path of its library, or name its folder by ADBC_DRIVER_PATH. Looked for "
                        + String.join(", ", looked)
                        + (there.isEmpty() ? "; no folder of drivers exists" : "; " + there),
                null);
    }

    /** The manifests and libraries in a folder. */
    private String content(Path folder) {
        String library = platform.fileName("").replaceFirst("^lib", "");
        String[] names = folder.toFile().list((in, name) -> name.endsWith(".toml") || name.contains(library));
        return names == null || names.length == 0
                ? "no driver"
                : Stream.of(names).sorted().limit(20).collect(Collectors.joining(", "));
    }
}
