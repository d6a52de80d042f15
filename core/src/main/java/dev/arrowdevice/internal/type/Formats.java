package dev.arrowdevice.internal.type;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidSchemaException;
import dev.arrowdevice.ListType;
import dev.arrowdevice.MapType;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.StructType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TypeId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Format strings of the C data interface ⇄ types: one row of {@link #ROWS} per format, read in both directions.
 *
 * <p>Reading is strict: a format that the specification does not list is an error.
 */
public final class Formats {
    /** "For dictionary-encoded types, whether the ordering of dictionary indices is semantically meaningful." */
    public static final long FLAG_DICTIONARY_ORDERED = 1;
    /** "Whether this field is semantically nullable (regardless of whether it actually has null values)." */
    public static final long FLAG_NULLABLE = 2;
    /** "For map types, whether the keys within each map value are sorted." */
    public static final long FLAG_MAP_KEYS_SORTED = 4;

    private static final List<FormatRow> ROWS = List.of(
            FormatRow.of("n", ArrowType.NULL),
            FormatRow.of("b", ArrowType.BOOL),
            FormatRow.of("c", ArrowType.INT8),
            FormatRow.of("C", ArrowType.UINT8),
            FormatRow.of("s", ArrowType.INT16),
            FormatRow.of("S", ArrowType.UINT16),
            FormatRow.of("i", ArrowType.INT32),
            FormatRow.of("I", ArrowType.UINT32),
            FormatRow.of("l", ArrowType.INT64),
            FormatRow.of("L", ArrowType.UINT64),
            FormatRow.of("e", ArrowType.FLOAT16),
            FormatRow.of("f", ArrowType.FLOAT32),
            FormatRow.of("g", ArrowType.FLOAT64),
            FormatRow.of("z", ArrowType.BINARY),
            FormatRow.of("Z", ArrowType.LARGE_BINARY),
            FormatRow.of("vz", ArrowType.BINARY_VIEW),
            FormatRow.of("u", ArrowType.UTF8),
            FormatRow.of("U", ArrowType.LARGE_UTF8),
            FormatRow.of("vu", ArrowType.UTF8_VIEW),
            FormatRow.decimal("d:"),
            FormatRow.fixedSizeBinary("w:"),
            FormatRow.of("tdD", ArrowType.DATE32),
            FormatRow.of("tdm", ArrowType.DATE64),
            FormatRow.of("tts", ArrowType.time32(TimeUnit.SECOND)),
            FormatRow.of("ttm", ArrowType.time32(TimeUnit.MILLISECOND)),
            FormatRow.of("ttu", ArrowType.time64(TimeUnit.MICROSECOND)),
            FormatRow.of("ttn", ArrowType.time64(TimeUnit.NANOSECOND)),
            FormatRow.timestamp("tss:", TimeUnit.SECOND),
            FormatRow.timestamp("tsm:", TimeUnit.MILLISECOND),
            FormatRow.timestamp("tsu:", TimeUnit.MICROSECOND),
            FormatRow.timestamp("tsn:", TimeUnit.NANOSECOND),
            FormatRow.of("tDs", ArrowType.duration(TimeUnit.SECOND)),
            FormatRow.of("tDm", ArrowType.duration(TimeUnit.MILLISECOND)),
            FormatRow.of("tDu", ArrowType.duration(TimeUnit.MICROSECOND)),
            FormatRow.of("tDn", ArrowType.duration(TimeUnit.NANOSECOND)),
            FormatRow.of("tiM", ArrowType.INTERVAL_MONTHS),
            FormatRow.of("tiD", ArrowType.INTERVAL_DAY_TIME),
            FormatRow.of("tin", ArrowType.INTERVAL_MONTH_DAY_NANO),
            list("+l", TypeId.LIST),
            list("+L", TypeId.LARGE_LIST),
            list("+vl", TypeId.LIST_VIEW),
            list("+vL", TypeId.LARGE_LIST_VIEW),
            FormatRow.fixedSizeList("+w:"),
            FormatRow.nested("+s", TypeId.STRUCT, FormatRow.ANY, (cursor, flags, children) -> new StructType(children)),
            FormatRow.nested(
                    "+m",
                    TypeId.MAP,
                    1,
                    (cursor, flags, children) -> new MapType(children.get(0), (flags & FLAG_MAP_KEYS_SORTED) != 0)),
            FormatRow.union("+ud:", TypeId.DENSE_UNION),
            FormatRow.union("+us:", TypeId.SPARSE_UNION),
            FormatRow.nested(
                    "+r",
                    TypeId.RUN_END_ENCODED,
                    2,
                    (cursor, flags, children) -> new RunEndEncodedType(children.get(0), children.get(1))));

    private static final Map<String, FormatRow> BY_FORMAT = new HashMap<>();
    /** The rows of each type by {@link TimeUnit}. The row of a type without unit is at index 0. */
    private static final Map<TypeId, @Nullable FormatRow[]> BY_TYPE = new EnumMap<>(TypeId.class);

    static {
        for (FormatRow row : ROWS) {
            if (!row.parametric()) {
                BY_FORMAT.put(row.prefix(), row);
            }
            for (TypeId id : row.ids()) {
                BY_TYPE.computeIfAbsent(id, unused -> new FormatRow[TimeUnit.values().length])[slot(row.unit())] = row;
            }
        }
    }

    private Formats() {}

    private static FormatRow list(String format, TypeId id) {
        return FormatRow.nested(format, id, 1, (cursor, flags, children) -> new ListType(id, children.get(0)));
    }

    private static int slot(@Nullable TimeUnit unit) {
        return unit == null ? 0 : unit.ordinal();
    }

    /**
     * The format string of {@code type}: for a dictionary that of its index type, for an extension that of its storage
     * type.
     */
    public static String format(ArrowType type) {
        if (type instanceof DictionaryType dictionary) {
            return format(dictionary.indexType());
        }
        if (type instanceof ExtensionType extension) {
            return format(extension.storageType());
        }
        @Nullable FormatRow[] rows = BY_TYPE.get(type.id());
        FormatRow row = rows == null ? null : rows[slot(FormatRow.unitOf(type))];
        if (row == null) {
            throw new IllegalStateException("no format for " + type);
        }
        return row.parametric() ? row.prefix() + row.parameters().apply(type) : row.prefix();
    }

    /** The flags of an {@code ArrowSchema} of this field. */
    public static long flags(Field field) {
        ArrowType storage = field.type().storageType();
        long flags = field.nullable() ? FLAG_NULLABLE : 0;
        if (storage instanceof DictionaryType dictionary && dictionary.ordered()) {
            flags |= FLAG_DICTIONARY_ORDERED;
        }
        if (storage instanceof MapType map && map.keysSorted()) {
            flags |= FLAG_MAP_KEYS_SORTED;
        }
        return flags;
    }

    /**
     * The type that an {@code ArrowSchema} describes, without its extension metadata: see {@link Field#fromWire}.
     *
     * @param format the format string
     * @param flags the flags; those that don't concern the type, and unknown ones, are ignored
     * @param children the children, already parsed
     * @param dictionaryValues the type of the dictionary, or null if there is none
     * @throws InvalidSchemaException whose message names the position in {@code format} (from 0) and what was expected
     *     there, or the child that does not fit
     */
    public static ArrowType parse(
            String format, long flags, List<Field> children, @Nullable ArrowType dictionaryValues) {
        FormatRow row = rowOf(format);
        checkChildCount(format, row.children(), children.size());
        FormatCursor cursor = new FormatCursor(format, row.prefix().length());
        ArrowType type = row.reader().read(cursor, flags, children);
        if (dictionaryValues == null) {
            return type;
        }
        if (!type.id().isInteger()) {
            throw noIndex(format);
        }
        return new DictionaryType(type, dictionaryValues, (flags & FLAG_DICTIONARY_ORDERED) != 0);
    }

    /**
     * Checks that a format may have a number of children, before any child is read.
     *
     * @throws InvalidSchemaException if not, or if there is no such format
     */
    public static void checkChildCount(String format, long count) {
        FormatRow row = rowOf(format);
        checkChildCount(
                format, row.childCount(new FormatCursor(format, row.prefix().length())), count);
    }

    /**
     * Checks that a format is one of an integer, the index of a dictionary, before the dictionary is read.
     *
     * @throws InvalidSchemaException if not, or if there is no such format
     */
    public static void checkIndex(String format) {
        if (!rowOf(format).ids().get(0).isInteger()) {
            throw noIndex(format);
        }
    }

    private static InvalidSchemaException noIndex(String format) {
        return new FormatCursor(format, 0).expected("an integer type, the index of the dictionary");
    }

    private static void checkChildCount(String format, int expected, long count) {
        if (expected != FormatRow.ANY && expected != count) {
            throw new InvalidSchemaException("format " + Brief.quoted(format) + ": expected " + expected
                    + (expected == 1 ? " child" : " children") + ", got " + count);
        }
    }

    private static FormatRow rowOf(String format) {
        FormatRow exact = BY_FORMAT.get(format);
        if (exact != null) {
            return exact;
        }
        for (FormatRow row : ROWS) {
            if (row.parametric() && format.startsWith(row.prefix())) {
                return row;
            }
        }
        throw unknown(format);
    }

    /** The exception for the first character that no format has there. */
    private static InvalidSchemaException unknown(String format) {
        int position = 0;
        for (FormatRow row : ROWS) {
            position = Math.max(position, commonPrefix(format, row.prefix()));
        }
        TreeSet<Character> next = new TreeSet<>();
        for (FormatRow row : ROWS) {
            String prefix = row.prefix();
            if (prefix.length() > position && prefix.startsWith(format.substring(0, position))) {
                next.add(prefix.charAt(position));
            }
        }
        StringJoiner expected = new StringJoiner(", ", next.size() > 1 ? "one of " : "", "");
        next.forEach(c -> expected.add("'" + c + "'"));
        return new FormatCursor(format, position).expected(next.isEmpty() ? "the end" : expected.toString());
    }

    private static int commonPrefix(String left, String right) {
        int length = 0;
        while (length < left.length() && length < right.length() && left.charAt(length) == right.charAt(length)) {
            length++;
        }
        return length;
    }
}
