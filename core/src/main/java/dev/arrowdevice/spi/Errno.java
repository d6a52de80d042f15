package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import java.io.FileNotFoundException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** The error codes of the stream interfaces: "errno-compatible error codes", named and mapped to exceptions. */
public final class Errno {
    /** No such file. */
    public static final int ENOENT = 2;
    /** An input or output error. */
    public static final int EIO = 5;
    /** Out of memory. */
    public static final int ENOMEM = 12;
    /** An invalid argument. */
    public static final int EINVAL = 22;
    /** Not implemented; its number differs between operating systems. */
    public static final int ENOSYS = byOs(38, 78, 40);

    /** Cancelled; its number differs between operating systems. */
    public static final int ECANCELED = byOs(125, 89, 105);

    private Errno() {}

    /** The code for a failure of ours, to return to a foreign consumer. */
    public static int of(Throwable failure) {
        if (failure instanceof ForeignException) {
            int code = ((ForeignException) failure).getErrno();
            return code == 0 ? EIO : code;
        }
        if (failure instanceof CancellationException) {
            return ECANCELED;
        }
        if (failure instanceof OutOfMemoryError || failure instanceof OutOfDeviceMemoryException) {
            return ENOMEM;
        }
        if (failure instanceof DeviceException) {
            return EIO;
        }
        if (failure instanceof UnsupportedOperationException) {
            return ENOSYS;
        }
        if (failure instanceof IllegalArgumentException || failure instanceof IllegalStateException) {
            return EINVAL;
        }
        if (failure instanceof FileNotFoundException) {
            return ENOENT;
        }
        return EIO;
    }

    /** The symbol of a code with its number, such as {@code EINVAL}, if we know it. */
    public static String name(int code) {
        Map<Integer, String> symbols = Map.of(
                ENOENT,
                "ENOENT",
                EIO,
                "EIO",
                ENOMEM,
                "ENOMEM",
                EINVAL,
                "EINVAL",
                ENOSYS,
                "ENOSYS",
                ECANCELED,
                "ECANCELED");
        String symbol = symbols.getOrDefault(code, "errno");
        return symbol + " " + code;
    }

    private static int byOs(int linux, int bsd, int windows) {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return os.contains("mac") || os.contains("bsd") ? bsd : os.contains("windows") ? windows : linux;
    }
}
