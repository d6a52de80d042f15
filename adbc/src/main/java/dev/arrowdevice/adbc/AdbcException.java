package dev.arrowdevice.adbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A driver or its database reported an error, or a driver can't be used. The message has what the driver said, after the
 * function that failed and its status. Secrets of the options are replaced by {@code ***} in it.
 */
public final class AdbcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final AdbcStatus status;
    private final @Nullable Integer vendorCode;
    private final @Nullable String sqlState;
    private final transient @Nullable List<AdbcErrorDetail> details;

    /** An error of this SDK, or of a driver that reports nothing but its status. */
    public AdbcException(AdbcStatus status, String message, @Nullable Throwable cause) {
        this(status, message, null, null, List.of(), cause);
    }

    /** An error with all that a driver may say. */
    public AdbcException(
            AdbcStatus status,
            String message,
            @Nullable Integer vendorCode,
            @Nullable String sqlState,
            List<AdbcErrorDetail> details,
            @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
        this.vendorCode = vendorCode;
        this.sqlState = sqlState;
        this.details = List.copyOf(details);
    }

    /** The kind of the error. */
    public AdbcStatus getStatus() {
        return status;
    }

    /** The database's own code, null if the driver has none. */
    public @Nullable Integer getVendorCode() {
        return vendorCode;
    }

    /** The SQLSTATE, five characters, null if the driver has none. */
    public @Nullable String getSqlState() {
        return sqlState;
    }

    /** What the driver adds, in its order; empty after serialisation. */
    public List<AdbcErrorDetail> getDetails() {
        return details == null ? List.of() : details;
    }
}
