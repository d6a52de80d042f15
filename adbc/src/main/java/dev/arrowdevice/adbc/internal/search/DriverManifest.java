package dev.arrowdevice.adbc.internal.search;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.arrowdevice.adbc.AdbcException;
import dev.arrowdevice.adbc.AdbcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A driver manifest of ADBC, {@code NAME.toml}: where the library of a driver is, for each platform. */
final class DriverManifest {
    private static final int NEWEST_VERSION = 1;

    /** The library. */
    final Path library;

    /** The entry point, null if the manifest names none. */
    final @Nullable String entryPoint;

    private DriverManifest(Path library, @Nullable String entryPoint) {
        this.library = library;
        this.entryPoint = entryPoint;
    }

    /**
     * Reads a manifest.
     *
     * @throws AdbcException if it is no manifest, of a later version, or has no library for the platform
     */
    static DriverManifest read(Path file, Platform platform) {
        JsonNode manifest = parse(file);
        JsonNode version = manifest.path("manifest_version");
        if (!version.isMissingNode() && version.asInt(0) != NEWEST_VERSION) {
            throw invalid(
                    file, "has manifest_version " + version.asText() + "; version " + NEWEST_VERSION + " is known");
        }
        JsonNode driver = manifest.path("Driver");
        JsonNode shared = driver.path("shared");
        String library;
        if (shared.isTextual()) {
            library = shared.asText();
        } else if (shared.path(platform.key()).isTextual()) {
            library = shared.path(platform.key()).asText();
        } else {
            throw invalid(file, "has no library for " + platform.key() + libraries(shared));
        }
        if (library.isEmpty()) {
            throw invalid(file, "has an empty Driver.shared");
        }
        JsonNode entryPoint = driver.path("entrypoint");
        // Relative to the manifest, so that a folder with both can be moved.
        return new DriverManifest(
                file.toAbsolutePath().resolveSibling(library),
                entryPoint.isTextual() && !entryPoint.asText().isEmpty() ? entryPoint.asText() : null);
    }

    private static JsonNode parse(Path file) {
        try {
            return new TomlMapper().readTree(Files.readString(file));
        } catch (JacksonException e) {
            throw new AdbcException(
                    AdbcStatus.INVALID_ARGUMENT,
                    "the ADBC driver manifest " + file + " is not valid TOML: " + e.getOriginalMessage()
                            + (e.getLocation() == null
                                    ? ""
                                    : " in line " + e.getLocation().getLineNr()),
                    e);
        } catch (IOException e) {
            throw new AdbcException(AdbcStatus.IO, "the ADBC driver manifest " + file + " can't be read: " + e, e);
        }
    }

    private static String libraries(JsonNode shared) {
        List<String> platforms = new ArrayList<>();
        shared.fieldNames().forEachRemaining(platforms::add);
        return platforms.isEmpty() ? "; it needs Driver.shared" : ", only for " + String.join(", ", platforms);
    }

    private static AdbcException invalid(Path file, String reason) {
        return new AdbcException(AdbcStatus.INVALID_ARGUMENT, "the ADBC driver manifest " + file + " " + reason, null);
    }
}
