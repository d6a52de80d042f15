package dev.arrowdevice.adbc;

/** The status codes of ADBC, {@code ADBC_STATUS_…}. */
public enum AdbcStatus {
    /** No error. */
    OK,
    /** An unknown error. */
    UNKNOWN,
    /** The driver does not implement the operation. */
    NOT_IMPLEMENTED,
    /** A resource, such as a table, was not found. */
    NOT_FOUND,
    /** A resource exists already. */
    ALREADY_EXISTS,
    /** The arguments are invalid: likely an error of the program. */
    INVALID_ARGUMENT,
    /** The preconditions of the operation are not met: likely an error of the program. */
    INVALID_STATE,
    /** Invalid data was processed. */
    INVALID_DATA,
    /** The database's integrity was affected, for example by a constraint. */
    INTEGRITY,
    /** An error inside of the driver or the database. */
    INTERNAL,
    /** An input or output error, such as a lost connection. */
    IO,
    /** The operation was cancelled, not due to a timeout. */
    CANCELLED,
    /** The operation was cancelled due to a timeout. */
    TIMEOUT,
    /** Authentication failed. */
    UNAUTHENTICATED,
    /** The client is not allowed to do this. */
    UNAUTHORIZED;

    private static final AdbcStatus[] ALL = values();

    /** The status of a code, {@link #UNKNOWN} for a code that ADBC 1.1 does not have. */
    public static AdbcStatus of(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : UNKNOWN;
    }
}
