package dev.arrowdevice.adbc;

import java.util.Locale;

/** What an ingest does with a table that exists, or doesn't. */
public enum IngestMode {
    /** Creates the table; if it exists, the ingest fails. */
    CREATE,
    /** Appends to the table; if it does not exist, the ingest fails. */
    APPEND,
    /** Drops the table if it exists, and creates it. */
    REPLACE,
    /** Appends to the table, and creates it if it does not exist. */
    CREATE_APPEND;

    String getOptionValue() {
        return "adbc.ingest.mode." + name().toLowerCase(Locale.ROOT);
    }
}
