package dev.arrowdevice.adbc;

import java.util.Locale;

/** The levels on which transactions are isolated from each other. */
public enum IsolationLevel {
    /** What the database does if nothing is asked for. */
    DEFAULT,
    /** Dirty reads may happen. */
    READ_UNCOMMITTED,
    /** Only what others have committed is read. */
    READ_COMMITTED,
    /** What was read once is read again the same. */
    REPEATABLE_READ,
    /** All reads see the database as it was when the transaction began. */
    SNAPSHOT,
    /** As if one transaction ran after the other. */
    SERIALIZABLE,
    /** Serializable, and in the order of real time. */
    LINEARIZABLE;

    private static final String PREFIX = "adbc.connection.transaction.isolation.";

    String getOptionValue() {
        return PREFIX + name().toLowerCase(Locale.ROOT);
    }

    static IsolationLevel of(String value) {
        for (IsolationLevel level : values()) {
            if (level.getOptionValue().equals(value)) {
                return level;
            }
        }
        throw new AdbcException(AdbcStatus.INVALID_DATA, "\"" + value + "\" is no isolation level of ADBC", null);
    }
}
