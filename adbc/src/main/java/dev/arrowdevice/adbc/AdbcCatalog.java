package dev.arrowdevice.adbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A catalog of a database.
 *
 * @param name null or "" in databases without catalogs
 * @param dbSchemas its schemas; empty if they were not asked for
 */
public record AdbcCatalog(@Nullable String name, List<AdbcDbSchema> dbSchemas) {}
