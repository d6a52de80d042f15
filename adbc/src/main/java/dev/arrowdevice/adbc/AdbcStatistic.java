package dev.arrowdevice.adbc;

import org.jspecify.annotations.Nullable;

/**
 * A statistic of a table or a column.
 *
 * @param column null for a statistic of the whole table
 * @param name such as {@code adbc.statistic.row_count}; "statistic 1024" for one that the driver does not name
 * @param value a Long, Double, BigInteger or byte[]
 * @param approximate whether it is an estimate
 */
public record AdbcStatistic(
        @Nullable String catalog,
        @Nullable String dbSchema,
        String table,
        @Nullable String column,
        String name,
        @Nullable Object value,
        boolean approximate) {}
