package dev.arrowdevice.internal.type;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeBinaryType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TimestampType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table in {@link Formats}.
 *
 * @param prefix the whole format, or the part before its parameters
 * @param ids the kinds of type with this format
 * @param unit the unit of the types, if the format determines it
 * @param parametric whether parameters follow {@code prefix}
 * @param children the number of children; {@link #ANY} if the type itself decides
 * @param reader makes the type from parameters, flags and children
 * @param parameters writes the parameters of a type
 */
record FormatRow(
        String prefix,
        List<TypeId> ids,
        @Nullable TimeUnit unit,
        boolean parametric,
        int children,
        Reader reader,
        Function<ArrowType, String> parameters) {
    static final int ANY = -1;

    interface Reader {
        ArrowType read(FormatCursor parameters, long flags, List<Field> children);
    }

    /** A format of exactly one type. */
    static FormatRow of(String format, ArrowType type) {
        return new FormatRow(
                format, List.of(type.id()), unitOf(type), false, 0, (cursor, flags, children) -> type, type0 -> "");
    }

    /** A format without parameters, whose type is made from its children. */
    static FormatRow nested(String format, TypeId id, int count, Reader reader) {
        return new FormatRow(format, List.of(id), null, false, count, reader, type -> "");
    }

    static FormatRow timestamp(String prefix, TimeUnit unit) {
        return new FormatRow(
                prefix,
                List.of(TypeId.TIMESTAMP),
                unit,
                true,
                0,
                (cursor, flags, children) -> ArrowType.timestamp(unit, cursor.rest()),
                type -> type instanceof TimestampType timestamp && timestamp.timezone() != null
                        ? timestamp.timezone()
                        : "");
    }

    static FormatRow fixedSizeBinary(String prefix) {
        return new FormatRow(
                prefix,
                List.of(TypeId.FIXED_SIZE_BINARY),
                null,
                true,
                0,
                (cursor, flags, children) -> {
                    int width = cursor.unsigned("the byte width", 0, FixedSizeBinaryType.MAX_BYTE_WIDTH);
                    cursor.requireEnd();
                    return ArrowType.fixedSizeBinary(width);
                },
                type -> String.valueOf(((FixedSizeBinaryType) type).byteWidth()));
    }

    static FormatRow fixedSizeList(String prefix) {
        return new FormatRow(
                prefix,
                List.of(TypeId.FIXED_SIZE_LIST),
                null,
                true,
                1,
                (cursor, flags, children) -> {
                    int size = cursor.unsigned("the list size", 0, Integer.MAX_VALUE);
                    cursor.requireEnd();
                    return ArrowType.fixedSizeList(children.get(0), size);
                },
                type -> String.valueOf(((FixedSizeListType) type).listSize()));
    }

    static FormatRow decimal(String prefix) {
        return new FormatRow(
                prefix,
                List.of(TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256),
                null,
                true,
                0,
                (cursor, flags, children) -> readDecimal(cursor),
                type -> {
                    DecimalType decimal = (DecimalType) type;
                    // "d:19,10" is 128 bits wide; other widths are named.
                    return decimal.precision() + "," + decimal.scale()
                            + (decimal.bitWidth() == 128 ? "" : "," + decimal.bitWidth());
                });
    }

    private static DecimalType readDecimal(FormatCursor cursor) {
        int start = cursor.position();
        int precision = cursor.unsigned("the precision", 1, Integer.MAX_VALUE);
        cursor.require(',', "',' and the scale");
        int scale = cursor.signed("the scale, an integer");
        TypeId id = TypeId.DECIMAL128;
        if (!cursor.atEnd()) {
            cursor.require(',', "',' and the bit width, or the end");
            id = decimalOfWidth(cursor);
            cursor.requireEnd();
        }
        int most = new DecimalType(id, 1, 0).maxPrecision();
        if (precision > most) {
            throw cursor.expectedAt(start, "the precision (1 to " + most + ")");
        }
        return new DecimalType(id, precision, scale);
    }

    private static TypeId decimalOfWidth(FormatCursor cursor) {
        String widths = "the bit width 32, 64, 128 or 256";
        int start = cursor.position();
        return switch (cursor.signed(widths)) {
            case 32 -> TypeId.DECIMAL32;
            case 64 -> TypeId.DECIMAL64;
            case 128 -> TypeId.DECIMAL128;
            case 256 -> TypeId.DECIMAL256;
            default -> throw cursor.expectedAt(start, widths);
        };
    }

    static FormatRow union(String prefix, TypeId id) {
        return new FormatRow(
                prefix,
                List.of(id),
                null,
                true,
                ANY,
                (cursor, flags, children) -> new UnionType(id, readTypeIds(cursor), children),
                type -> {
                    StringBuilder ids = new StringBuilder();
                    ((UnionType) type)
                            .typeIds()
                            .forEach(typeId ->
                                    ids.append(ids.length() == 0 ? "" : ",").append((int) typeId));
                    return ids.toString();
                });
    }

    private static List<Integer> readTypeIds(FormatCursor cursor) {
        if (cursor.atEnd()) {
            return List.of();
        }
        Set<Integer> seen = new HashSet<>();
        Integer[] ids = new Integer[UnionType.MAX_TYPE_ID + 1];
        int count = 0;
        while (true) {
            int start = cursor.position();
            int typeId = cursor.unsigned("a type id", 0, UnionType.MAX_TYPE_ID);
            if (!seen.add(typeId)) {
                throw cursor.expectedAt(start, "a type id that is not yet there");
            }
            ids[count++] = typeId;
            if (cursor.atEnd()) {
                return Arrays.asList(ids).subList(0, count);
            }
            cursor.require(',', "',' and a type id, or the end");
        }
    }

    /**
     * The number of children of an array of the format, or {@link #ANY} if it is open. For a union the type ids say it.
     */
    int childCount(FormatCursor afterPrefix) {
        boolean union = ids.contains(TypeId.SPARSE_UNION) || ids.contains(TypeId.DENSE_UNION);
        return union ? readTypeIds(afterPrefix).size() : children;
    }

    static @Nullable TimeUnit unitOf(ArrowType type) {
        if (type instanceof TimestampType timestamp) {
            return timestamp.unit();
        }
        if (type instanceof TimeType time) {
            return time.unit();
        }
        return type instanceof DurationType duration ? duration.unit() : null;
    }
}
