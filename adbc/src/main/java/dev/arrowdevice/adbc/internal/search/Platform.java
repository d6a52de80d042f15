package dev.arrowdevice.adbc.internal.search;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The operating system and the processor, under the names of ADBC's manifests. */
final class Platform {
    final String os;
    final String arch;

    Platform(String osName, String osArch) {
        String system = osName.toLowerCase(Locale.ROOT);
        os = system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "macos" : system.replace(" ", "");
        String machine = osArch.toLowerCase(Locale.ROOT);
        arch = machine.equals("aarch64")
                ? "arm64"
                : machine.equals("x86_64") ? "amd64" : machine.equals("i386") ? "x86" : machine;
    }

    static Platform current() {
        return new Platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    boolean isWindows() {
        return os.equals("windows");
    }

    boolean isMac() {
        return os.equals("macos");
    }

    /** The key of this platform in a manifest, such as {@code linux_amd64} or {@code linux_arm64_musl}. */
    String key() {
        boolean musl = os.equals("linux") && Files.exists(Path.of("/lib/ld-musl-" + muslArch() + ".so.1"));
        return os + "_" + arch + (musl ? "_musl" : "");
    }

    private String muslArch() {
        return arch.equals("amd64") ? "x86_64" : arch.equals("arm64") ? "aarch64" : arch;
    }

    /** The file name of a library, such as {@code libadbc_driver_sqlite.so}. */
    String fileName(String library) {
        return isWindows() ? library + ".dll" : "lib" + library + (isMac() ? ".dylib" : ".so");
    }
}
