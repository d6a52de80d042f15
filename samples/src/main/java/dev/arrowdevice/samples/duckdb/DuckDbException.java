package dev.arrowdevice.samples.duckdb;

/** A call that DuckDB refused or could not finish. The message is DuckDB's own. */
public final class DuckDbException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DuckDbException(String message) {
        super(message);
    }

    DuckDbException(String message, Throwable cause) {
        super(message, cause);
    }
}
