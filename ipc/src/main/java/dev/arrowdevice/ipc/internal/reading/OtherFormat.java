package dev.arrowdevice.ipc.internal.reading;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What bytes are that are no Arrow IPC, by how they begin. */
final class OtherFormat {
    private static final int BRIEF = 4;

    private OtherFormat() {}

    /**
     * Says what the bytes are, e.g. "a Parquet file", or how they begin if they are text. Null if they may be anything.
     *
     * @param begin the first bytes, at least 4 if there are as many
     */
    static @Nullable String of(byte[] begin) {
        String magic = new String(begin, StandardCharsets.ISO_8859_1);
        if (magic.startsWith("ARRO")) {
            return "an Arrow file, which ArrowFile reads";
        }
        if (magic.startsWith("\u00FF\u00FF\u00FF\u00FF")) {
            return "an Arrow stream, which ArrowStreamReader reads";
        }
        if (magic.startsWith("FEA1")) {
            return "a Feather file of version 1, which is not supported";
        }
        if (magic.startsWith("PAR1")) {
            return "a Parquet file";
        }
        if (magic.startsWith("\u001F\u008B")) {
            return "compressed as a whole by gzip: decompress it first";
        }
        if (magic.startsWith("(\u00B5/\u00FD")) {
            return "compressed as a whole by ZSTD: decompress it first";
        }
        if (magic.startsWith("PK\u0003\u0004")) {
            return "a ZIP file";
        }
        return begin.length >= BRIEF && isText(begin) ? "text: it begins with \"" + quoted(magic) + "\"" : null;
    }

    private static boolean isText(byte[] bytes) {
        for (byte b : bytes) {
            boolean isSpace = b == '\t' || b == '\r' || b == '\n';
            if (!isSpace && (b < ' ' || b > '~')) {
                return false;
            }
        }
        return true;
    }

    private static String quoted(String text) {
        return text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    }
}
