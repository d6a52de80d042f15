package dev.arrowdevice.adbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which objects {@link AdbcConnection#getObjects} returns. Names are patterns of SQL's {@code LIKE}, with {@code %} and
 * {@code _}; null is every name. For an object without a catalog or schema, as in databases that have none, "" is the
 * name. Immutable: each method returns another filter.
 */
public final class ObjectFilter {
    /** How deep the answer goes. */
    public enum Depth {
        /** Catalogs, schemas, tables and columns, with constraints. */
        ALL,
        /** Catalogs only. */
        CATALOGS,
        /** Catalogs and schemas. */
        DB_SCHEMAS,
        /** Catalogs, schemas and tables. */
        TABLES
    }

    private final Depth depth;
    private final @Nullable String catalog;
    private final @Nullable String dbSchema;
    private final @Nullable String table;
    private final @Nullable List<String> tableTypes;
    private final @Nullable String column;

    private ObjectFilter(
            Depth depth,
            @Nullable String catalog,
            @Nullable String dbSchema,
            @Nullable String table,
            @Nullable List<String> tableTypes,
            @Nullable String column) {
        this.depth = depth;
        this.catalog = catalog;
        this.dbSchema = dbSchema;
        this.table = table;
        this.tableTypes = tableTypes == null ? null : List.copyOf(tableTypes);
        this.column = column;
    }

    /** All objects, to a depth. */
    public static ObjectFilter to(Depth depth) {
        return new ObjectFilter(depth, null, null, null, null, null);
    }

    /** Only in these catalogs. */
    public ObjectFilter inCatalog(@Nullable String pattern) {
        return new ObjectFilter(depth, pattern, dbSchema, table, tableTypes, column);
    }

    /** Only in these schemas. */
    public ObjectFilter inDbSchema(@Nullable String pattern) {
        return new ObjectFilter(depth, catalog, pattern, table, tableTypes, column);
    }

    /** Only these tables. */
    public ObjectFilter ofTable(@Nullable String pattern) {
        return new ObjectFilter(depth, catalog, dbSchema, pattern, tableTypes, column);
    }

    /** Only tables of these types, such as {@code view}: the words of {@link AdbcConnection#getTableTypes}. */
    public ObjectFilter ofTypes(String... types) {
        return new ObjectFilter(depth, catalog, dbSchema, table, List.of(types), column);
    }

    /** Only these columns. */
    public ObjectFilter ofColumn(@Nullable String pattern) {
        return new ObjectFilter(depth, catalog, dbSchema, table, tableTypes, pattern);
    }

    /** {@code ADBC_OBJECT_DEPTH_…}. */
    int depthCode() {
        return depth.ordinal();
    }

    @Nullable
    String catalog() {
        return catalog;
    }

    @Nullable
    String dbSchema() {
        return dbSchema;
    }

    @Nullable
    String table() {
        return table;
    }

    @Nullable
    List<String> tableTypes() {
        return tableTypes;
    }

    @Nullable
    String column() {
        return column;
    }
}
