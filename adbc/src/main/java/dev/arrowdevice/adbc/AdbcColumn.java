package dev.arrowdevice.adbc;

import org.jspecify.annotations.Nullable;

/**
 * A column of a table. A driver may know nothing of it but its name.
 *
 * @param ordinalPosition its position, from 1
 * @param remarks a description by the database
 * @param typeName the name of its type in the database
 * @param nullable whether it may be null, as far as the database knows
 * @param defaultValue the expression of its default
 */
public record AdbcColumn(
        String name,
        @Nullable Integer ordinalPosition,
        @Nullable String remarks,
        @Nullable String typeName,
        @Nullable Boolean nullable,
        @Nullable String defaultValue) {}
