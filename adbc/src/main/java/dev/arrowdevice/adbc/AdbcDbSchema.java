package dev.arrowdevice.adbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema of a catalog.
 *
 * @param name null or "" in databases without schemas
 * @param tables its tables; empty if they were not asked for
 */
public record AdbcDbSchema(@Nullable String name, List<AdbcTable> tables) {}
