package dev.arrowdevice.adbc.internal.abi;

import dev.arrowdevice.ForeignException;
import dev.arrowdevice.adbc.AdbcException;
import dev.arrowdevice.adbc.AdbcStatus;
import dev.arrowdevice.spi.Errno;
import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.spi.StreamErrors;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An {@code AdbcDriver} that a library has filled in: its functions, called with their errors as exceptions. */
public final class NativeDriver implements StreamErrors {
    /** The entry point of PostgreSQL's driver, whose library may have any name. */
    private static final String POSTGRESQL = "AdbcDriverPostgresqlInit";

    private final String name;
    private final boolean hasOneResultAtATime;
    private final long struct;
    private final int version;
    private final NativeFunctions<DriverFunctions> functions;
    private final DriverFunctions calls;
    private final Secrets secrets = new Secrets();
    private boolean released;

    private NativeDriver(NativeLibrary library, long struct, int version) {
        this.name = library.getName();
        this.hasOneResultAtATime = library.address(POSTGRESQL) != 0;
        this.struct = struct;
        this.version = version;
        this.functions = NativeFunctions.of(
                MethodHandles.lookup(),
                DriverFunctions.class,
                member -> NativeMemory.getLong(struct + DriverStruct.offset(member)),
                "the ADBC driver " + name);
        this.calls = functions.getCalls();
    }

    /** A call, with the struct for its error. */
    @FunctionalInterface
    public interface Call {
        /** Returns the {@code AdbcStatusCode}. */
        byte call(DriverFunctions functions, long error);
    }

    /**
     * Initialises a driver: for ADBC 1.1, or for 1.0 if it does not know 1.1.
     *
     * @param entryPoints the names of the function that does so; the first that the library has is called
     * @throws AdbcException if the library has none of them, or the driver refuses both versions
     */
    public static NativeDriver init(NativeLibrary library, List<String> entryPoints) {
        String found = entryPoints.stream()
                .filter(entryPoint -> library.address(entryPoint) != 0)
                .findFirst()
                .orElseThrow(() -> new AdbcException(
                        AdbcStatus.INVALID_ARGUMENT,
                        library.getName() + " has no entry point " + String.join(" or ", entryPoints)
                                + ": it is no ADBC driver, or its entry point has another name",
                        null));
        long entry = library.address(found);
        // A later version of ADBC may write past the end, although it was asked for ours.
        long struct = NativeMemory.allocate(2 * DriverStruct.SIZE);
        try {
            return init(library, found, entry, struct);
        } catch (Throwable e) {
            NativeMemory.free(struct);
            throw e;
        }
    }

    private static NativeDriver init(NativeLibrary library, String entryPoint, long entry, long struct) {
        AdbcException refusal = null;
        for (int version : new int[] {DriverStruct.VERSION_1_1, DriverStruct.VERSION_1_0}) {
            NativeMemory.zero(struct, 2 * DriverStruct.SIZE);
            NativeDriver unready = new NativeDriver(library, struct, version);
            try (ErrorStruct error = new ErrorStruct(unready)) {
                AdbcStatus status = AdbcStatus.of(Callbacks.CALLS.init(entry, version, struct, error.getAddress()));
                if (status == AdbcStatus.OK) {
                    return complete(new NativeDriver(library, struct, version));
                }
                AdbcException failure = error.exception(unready, entryPoint, status);
                if (refusal == null) {
                    refusal = failure;
                } else {
                    refusal.addSuppressed(failure);
                }
            }
        }
        throw new AdbcException(
                refusal.getStatus(),
                "the ADBC driver " + library.getName() + " could not be initialised for ADBC 1.1, nor for 1.0: "
                        + refusal.getMessage(),
                refusal);
    }

    private static NativeDriver complete(NativeDriver driver) {
        List<String> missing = driver.functions.missing();
        if (!missing.isEmpty()) {
            driver.releaseDriver();
            throw new AdbcException(
                    AdbcStatus.NOT_IMPLEMENTED,
                    "the ADBC driver " + driver.name + " lacks " + String.join(", ", missing)
                            + ", without which no query runs",
                    null);
        }
        return driver;
    }

    /** The library. */
    public String getName() {
        return name;
    }

    /**
     * Whether a connection reads the rows of its last query, whichever result asks for them. PostgreSQL's driver does so: a
     * result that was executed before returns the rows of the other, or an error.
     */
    public boolean hasOneResultAtATime() {
        return hasOneResultAtATime;
    }

    /** The address of the {@code AdbcDriver}. */
    public long getStruct() {
        return struct;
    }

    /** The version of ADBC for which it was initialised, such as 1001000. */
    public int getVersion() {
        return version;
    }

    /** What no message may contain. */
    public Secrets getSecrets() {
        return secrets;
    }

    DriverFunctions getFunctions() {
        return calls;
    }

    /** Whether the driver implements a function. It may still answer that it does not. */
    public boolean has(String function) {
        return functions.has(function);
    }

    /**
     * Calls a function.
     *
     * @throws AdbcException if it fails, or the driver lacks it
     */
    public void run(String function, Call call) {
        if (!has(function)) {
            throw new AdbcException(
                    AdbcStatus.NOT_IMPLEMENTED,
                    "[" + function + "][NOT_IMPLEMENTED] the ADBC driver " + name + " has no such function"
                            + (version == DriverStruct.VERSION_1_0 ? "; it is of ADBC 1.0" : ""),
                    null);
        }
        try (ErrorStruct error = new ErrorStruct(this)) {
            byte status = call.call(calls, error.getAddress());
            if (status != 0) {
                throw error.exception(this, function, AdbcStatus.of(status));
            }
        }
    }

    /** The error of a result's stream, with all that the driver says of it. */
    @Override
    public RuntimeException exceptionOf(long stream, ForeignException failure) {
        if (has("ErrorFromArrayStream")) {
            try (NativeAllocation status = NativeAllocation.allocate(Integer.BYTES)) {
                long error = calls.ErrorFromArrayStream(stream, status.getAddress());
                AdbcStatus known = AdbcStatus.of(status.getByte(0));
                // "ADBC_STATUS_OK if there is no error", and a driver may have an error of which the struct says
                // nothing.
                if (error != 0 && NativeMemory.getLong(error) != 0) {
                    return ErrorStruct.exception(
                            this,
                            "get_next",
                            known == AdbcStatus.OK ? status(failure.getErrno()) : known,
                            error,
                            hidden(failure));
                }
            }
        }
        return new AdbcException(status(failure.getErrno()), secrets.hide(said(failure)), hidden(failure));
    }

    /** The failure as the cause of ours, unless it says a secret. */
    private @Nullable ForeignException hidden(ForeignException failure) {
        return secrets.hide(said(failure)).equals(said(failure)) ? failure : null;
    }

    private static String said(ForeignException failure) {
        return String.valueOf(failure.getMessage());
    }

    private static AdbcStatus status(int errno) {
        if (errno == Errno.ECANCELED) {
            return AdbcStatus.CANCELLED;
        } else if (errno == Errno.ENOSYS) {
            return AdbcStatus.NOT_IMPLEMENTED;
        } else if (errno == Errno.EINVAL) {
            return AdbcStatus.INVALID_ARGUMENT;
        } else if (errno == Errno.EIO) {
            return AdbcStatus.IO;
        } else if (errno == Errno.ENOMEM) {
            return AdbcStatus.INTERNAL;
        }
        return AdbcStatus.UNKNOWN;
    }

    /** Releases the driver. No function is called after that. Idempotent. */
    public synchronized void release() {
        if (!released) {
            released = true;
            try {
                releaseDriver();
            } finally {
                NativeMemory.free(struct);
            }
        }
    }

    private void releaseDriver() {
        if (has("release")) {
            run("release", (functions, error) -> functions.release(struct, error));
        }
    }
}
