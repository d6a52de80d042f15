package dev.arrowdevice.adbc;

import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the results that describe a database, whose schemas the specification fixes. Closes them. */
final class MetadataReader {
    private MetadataReader() {}

    static AdbcInfo info(DeviceArrayStream stream) {
        Map<Long, @Nullable Object> values = new TreeMap<>();
        forEachRow(stream, row -> values.put(number(row.get("info_name")), row.get("info_value")));
        return new AdbcInfo(values);
    }

    static List<String> texts(DeviceArrayStream stream) {
        List<String> texts = new ArrayList<>();
        forEachRow(stream, row -> texts.add(text(row.values().iterator().next())));
        return texts;
    }

    static Map<Integer, String> names(DeviceArrayStream stream) {
        Map<Integer, String> names = new TreeMap<>();
        forEachRow(stream, row -> names.put((int) number(row.get("statistic_key")), text(row.get("statistic_name"))));
        return names;
    }

    static List<AdbcCatalog> objects(DeviceArrayStream stream) {
        List<AdbcCatalog> catalogs = new ArrayList<>();
        forEachRow(
                stream,
                row -> catalogs.add(new AdbcCatalog(
                        textOrNull(row.get("catalog_name")),
                        each(row.get("catalog_db_schemas"), MetadataReader::dbSchema))));
        return catalogs;
    }

    private static AdbcDbSchema dbSchema(Map<String, @Nullable Object> row) {
        return new AdbcDbSchema(
                textOrNull(row.get("db_schema_name")), each(row.get("db_schema_tables"), MetadataReader::table));
    }

    private static AdbcTable table(Map<String, @Nullable Object> row) {
        return new AdbcTable(
                text(row.get("table_name")),
                text(row.get("table_type")),
                each(row.get("table_columns"), MetadataReader::column),
                each(row.get("table_constraints"), MetadataReader::constraint));
    }

    private static AdbcColumn column(Map<String, @Nullable Object> row) {
        Object position = row.get("ordinal_position");
        Object nullable = row.get("xdbc_nullable");
        String isNullable = textOrNull(row.get("xdbc_is_nullable"));
        return new AdbcColumn(
                text(row.get("column_name")),
                position == null ? null : (int) number(position),
                textOrNull(row.get("remarks")),
                textOrNull(row.get("xdbc_type_name")),
                isNullable != null && !isNullable.isEmpty()
                        ? Boolean.valueOf(isNullable.equalsIgnoreCase("YES"))
                        : nullable == null || number(nullable) == 2 ? null : (Boolean) (number(nullable) == 1),
                textOrNull(row.get("xdbc_column_def")));
    }

    private static AdbcConstraint constraint(Map<String, @Nullable Object> row) {
        List<String> columns = new ArrayList<>();
        for (Object column : list(row.get("constraint_column_names"))) {
            columns.add(text(column));
        }
        return new AdbcConstraint(
                textOrNull(row.get("constraint_name")),
                text(row.get("constraint_type")),
                List.copyOf(columns),
                each(
                        row.get("constraint_column_usage"),
                        usage -> new AdbcConstraint.Reference(
                                textOrNull(usage.get("fk_catalog")),
                                textOrNull(usage.get("fk_db_schema")),
                                text(usage.get("fk_table")),
                                text(usage.get("fk_column_name")))));
    }

    static List<AdbcStatistic> statistics(DeviceArrayStream stream, Map<Integer, String> names) {
        List<AdbcStatistic> statistics = new ArrayList<>();
        forEachRow(stream, catalog -> {
            for (Map<String, @Nullable Object> dbSchema : each(catalog.get("catalog_db_schemas"), row -> row)) {
                for (Map<String, @Nullable Object> row : each(dbSchema.get("db_schema_statistics"), each -> each)) {
                    int key = (int) number(row.get("statistic_key"));
                    statistics.add(new AdbcStatistic(
                            textOrNull(catalog.get("catalog_name")),
                            textOrNull(dbSchema.get("db_schema_name")),
                            text(row.get("table_name")),
                            textOrNull(row.get("column_name")),
                            names.getOrDefault(key, "statistic " + key),
                            row.get("statistic_value"),
                            Boolean.TRUE.equals(row.get("statistic_is_approximate"))));
                }
            }
        });
        return statistics;
    }

    private static void forEachRow(DeviceArrayStream stream, Consumer<Map<String, @Nullable Object>> action) {
        try (stream) {
            for (RecordBatch next = stream.nextBatch(); next != null; next = stream.nextBatch()) {
                try (RecordBatch batch = next) {
                    batch.borrow(reader -> {
                        for (long row = 0; row < reader.getLength(); row++) {
                            action.accept(struct(reader.getObject(row)));
                        }
                        return "";
                    });
                }
            }
        }
    }

    private static <T> List<T> each(@Nullable Object rows, Function<Map<String, @Nullable Object>, T> make) {
        List<T> made = new ArrayList<>();
        for (Object row : list(rows)) {
            made.add(make.apply(struct(row)));
        }
        return List.copyOf(made);
    }

    private static List<?> list(@Nullable Object value) {
        return value == null ? List.of() : (List<?>) value;
    }

    @SuppressWarnings("unchecked") // a struct is read as a map of its fields
    private static Map<String, @Nullable Object> struct(@Nullable Object value) {
        if (value == null) {
            throw new AdbcException(AdbcStatus.INVALID_DATA, "the driver describes an object by null", null);
        }
        return (Map<String, @Nullable Object>) value;
    }

    private static @Nullable String textOrNull(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static long number(@Nullable Object value) {
        if (value == null) {
            throw new AdbcException(AdbcStatus.INVALID_DATA, "the driver describes an object without its number", null);
        }
        return ((Number) value).longValue();
    }
}
