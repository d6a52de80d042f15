package dev.arrowdevice.adbc.internal.search;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processor that a library in the format of Linux is made for. */
final class Machine {
    private static final int MACHINE = 18;
    private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F'};
    private static final Map<Integer, String> NAMES =
            Map.of(0x03, "x86", 0x28, "arm", 0x3e, "amd64", 0xb7, "arm64", 0xf3, "riscv64");

    private Machine() {}

    /** The name in a manifest; null if the file is none of these. */
    static @Nullable String of(Path library) {
        try (InputStream in = Files.newInputStream(library)) {
            byte[] header = in.readNBytes(MACHINE + 2);
            for (int i = 0; i < MAGIC.length; i++) {
                if (header.length < MACHINE + 2 || header[i] != MAGIC[i]) {
                    return null;
                }
            }
            return NAMES.get(header[MACHINE] & 0xff | (header[MACHINE + 1] & 0xff) << 8);
        } catch (IOException e) {
            return null;
        }
    }
}
