package dev.arrowdevice.adbc;

import java.util.List;

/**
 * A table, a view, or what else the database has.
 *
 * @param type one of {@link AdbcConnection#getTableTypes}
 * @param columns its columns; empty if they were not asked for
 * @param constraints its constraints; empty if they were not asked for, or the driver does not know them
 */
public record AdbcTable(String name, String type, List<AdbcColumn> columns, List<AdbcConstraint> constraints) {}
