package dev.arrowdevice.adbc;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The table that rows are ingested into, and how. Immutable: each method returns another target. */
public final class IngestTarget {
    private final String table;
    private final IngestMode mode;
    private final @Nullable String catalog;
    private final @Nullable String dbSchema;
    private final boolean temporary;

    private IngestTarget(
            String table, IngestMode mode, @Nullable String catalog, @Nullable String dbSchema, boolean temporary) {
        this.table = Objects.requireNonNull(table, "table");
        this.mode = Objects.requireNonNull(mode, "mode");
        this.catalog = catalog;
        this.dbSchema = dbSchema;
        this.temporary = temporary;
    }

    /** A table by its name, which is not SQL and needs no quotes. */
    public static IngestTarget table(String table, IngestMode mode) {
        return new IngestTarget(table, mode, null, null, false);
    }

    /** The table in a catalog. Not all drivers know them. */
    public IngestTarget inCatalog(@Nullable String name) {
        return new IngestTarget(table, mode, name, dbSchema, temporary);
    }

    /** The table in a schema of the database. Not all drivers know them. */
    public IngestTarget inDbSchema(@Nullable String name) {
        return new IngestTarget(table, mode, catalog, name, temporary);
    }

    /** A table that lives as long as the connection, without a catalog or schema. Not all drivers know them. */
    public IngestTarget temporary() {
        return new IngestTarget(table, mode, catalog, dbSchema, true);
    }

    void applyTo(AdbcStatement statement) {
        statement.setOption("adbc.ingest.target_table", table);
        statement.setOption("adbc.ingest.mode", mode.getOptionValue());
        if (temporary) {
            // First: PostgreSQL's driver forgets a schema that was set before, and refuses one that is set afterwards.
            statement.setOption("adbc.ingest.temporary", "true");
        }
        if (catalog != null) {
            statement.setOption("adbc.ingest.target_catalog", catalog);
        }
        if (dbSchema != null) {
            statement.setOption("adbc.ingest.target_db_schema", dbSchema);
        }
    }

    @Override
    public String toString() {
        return mode
                + (temporary ? " temporary " : " ")
                + (catalog == null ? "" : catalog + ".")
                + (dbSchema == null ? "" : dbSchema + ".")
                + table;
    }
}
