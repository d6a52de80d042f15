package dev.arrowdevice.adbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A constraint of a table.
 *
 * @param type {@code CHECK}, {@code FOREIGN KEY}, {@code PRIMARY KEY} or {@code UNIQUE}
 * @param columns the constrained columns, in order
 * @param references of a foreign key, the columns that it refers to
 */
public record AdbcConstraint(@Nullable String name, String type, List<String> columns, List<Reference> references) {
    /** A column that a foreign key refers to. */
    public record Reference(
            @Nullable String catalog, @Nullable String dbSchema, String table, String column) {}
}
