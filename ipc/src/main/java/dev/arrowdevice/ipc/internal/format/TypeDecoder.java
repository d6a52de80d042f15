package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.Field;
import dev.arrowdevice.MapType;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TypeId;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Duration;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Interval;
import org.apache.arrow.flatbuf.IntervalUnit;
import org.apache.arrow.flatbuf.Map;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;

/** Reads the type of a field, without its dictionary and extension. */
final class TypeDecoder {
    private TypeDecoder() {}

    /**
     * The type of the values, with the children that have been read.
     *
     * @param budget for the name of a time zone
     */
    static ArrowType decode(org.apache.arrow.flatbuf.Field field, List<Field> children, TextBudget budget) {
        byte kind = field.typeType();
        requireChildren(kind, children.size());
        return switch (kind) {
            case Type.Null -> ArrowType.NULL;
            case Type.Int -> integer((Int) Guard.require(field.type(new Int()), "type"));
            case Type.FloatingPoint -> floating((FloatingPoint) Guard.require(field.type(new FloatingPoint()), "type"));
            case Type.Binary -> ArrowType.BINARY;
            case Type.Utf8 -> ArrowType.UTF8;
            case Type.Bool -> ArrowType.BOOL;
            case Type.Decimal -> decimal((Decimal) Guard.require(field.type(new Decimal()), "type"));
            case Type.Date -> date((Date) Guard.require(field.type(new Date()), "type"));
            case Type.Time -> time((Time) Guard.require(field.type(new Time()), "type"));
            case Type.Timestamp -> timestamp((Timestamp) Guard.require(field.type(new Timestamp()), "type"), budget);
            case Type.Interval -> interval((Interval) Guard.require(field.type(new Interval()), "type"));
            case Type.List -> ArrowType.list(children.get(0));
            case Type.Struct_ -> ArrowType.struct(children);
            case Type.Union -> union((Union) Guard.require(field.type(new Union()), "type"), children);
            case Type.FixedSizeBinary ->
                ArrowType.fixedSizeBinary(
                        ((FixedSizeBinary) Guard.require(field.type(new FixedSizeBinary()), "type")).byteWidth());
            case Type.FixedSizeList ->
                ArrowType.fixedSizeList(
                        children.get(0),
                        ((FixedSizeList) Guard.require(field.type(new FixedSizeList()), "type")).listSize());
            case Type.Map ->
                new MapType(children.get(0), ((Map) Guard.require(field.type(new Map()), "type")).keysSorted());
            case Type.Duration ->
                ArrowType.duration(unit(((Duration) Guard.require(field.type(new Duration()), "type")).unit()));
            case Type.LargeBinary -> ArrowType.LARGE_BINARY;
            case Type.LargeUtf8 -> ArrowType.LARGE_UTF8;
            case Type.LargeList -> ArrowType.largeList(children.get(0));
            case Type.RunEndEncoded -> new RunEndEncodedType(children.get(0), children.get(1));
            case Type.BinaryView -> ArrowType.BINARY_VIEW;
            case Type.Utf8View -> ArrowType.UTF8_VIEW;
            case Type.ListView -> ArrowType.listView(children.get(0));
            case Type.LargeListView -> ArrowType.largeListView(children.get(0));
            default -> throw new IllegalArgumentException("type " + kind + " is unknown");
        };
    }

    private static void requireChildren(byte kind, int given) {
        int needed = switch (kind) {
            case Type.List, Type.LargeList, Type.ListView, Type.LargeListView, Type.FixedSizeList, Type.Map -> 1;
            case Type.RunEndEncoded -> 2;
            case Type.Struct_, Type.Union -> given;
            default -> 0;
        };
        if (given != needed) {
            throw new IllegalArgumentException(
                    "a " + (kind >= 0 && kind < Type.names.length ? Type.name(kind) : "type " + kind) + " has " + needed
                            + " children, not " + given);
        }
    }

    static ArrowType integer(Int type) {
        boolean signed = type.isSigned();
        return switch (type.bitWidth()) {
            case 8 -> signed ? ArrowType.INT8 : ArrowType.UINT8;
            case 16 -> signed ? ArrowType.INT16 : ArrowType.UINT16;
            case 32 -> signed ? ArrowType.INT32 : ArrowType.UINT32;
            case 64 -> signed ? ArrowType.INT64 : ArrowType.UINT64;
            default -> throw new IllegalArgumentException("an integer of " + type.bitWidth() + " bits");
        };
    }

    private static ArrowType floating(FloatingPoint type) {
        return switch (type.precision()) {
            case Precision.HALF -> ArrowType.FLOAT16;
            case Precision.SINGLE -> ArrowType.FLOAT32;
            case Precision.DOUBLE -> ArrowType.FLOAT64;
            default -> throw new IllegalArgumentException("a floating point number of precision " + type.precision());
        };
    }

    private static ArrowType decimal(Decimal type) {
        TypeId id = switch (type.bitWidth()) {
            case 32 -> TypeId.DECIMAL32;
            case 64 -> TypeId.DECIMAL64;
            case 128 -> TypeId.DECIMAL128;
            case 256 -> TypeId.DECIMAL256;
            default -> throw new IllegalArgumentException("a decimal of " + type.bitWidth() + " bits");
        };
        return new DecimalType(id, type.precision(), type.scale());
    }

    private static ArrowType date(Date type) {
        return switch (type.unit()) {
            case DateUnit.DAY -> ArrowType.DATE32;
            case DateUnit.MILLISECOND -> ArrowType.DATE64;
            default -> throw new IllegalArgumentException("a date of unit " + type.unit());
        };
    }

    private static ArrowType time(Time type) {
        return switch (type.bitWidth()) {
            case 32 -> ArrowType.time32(unit(type.unit()));
            case 64 -> ArrowType.time64(unit(type.unit()));
            default -> throw new IllegalArgumentException("a time of " + type.bitWidth() + " bits");
        };
    }

    private static ArrowType timestamp(Timestamp type, TextBudget budget) {
        budget.take(type.timezoneAsByteBuffer());
        return ArrowType.timestamp(unit(type.unit()), type.timezone());
    }

    private static ArrowType interval(Interval type) {
        return switch (type.unit()) {
            case IntervalUnit.YEAR_MONTH -> ArrowType.INTERVAL_MONTHS;
            case IntervalUnit.DAY_TIME -> ArrowType.INTERVAL_DAY_TIME;
            case IntervalUnit.MONTH_DAY_NANO -> ArrowType.INTERVAL_MONTH_DAY_NANO;
            default -> throw new IllegalArgumentException("an interval of unit " + type.unit());
        };
    }

    private static TimeUnit unit(short unit) {
        return switch (unit) {
            case org.apache.arrow.flatbuf.TimeUnit.SECOND -> TimeUnit.SECOND;
            case org.apache.arrow.flatbuf.TimeUnit.MILLISECOND -> TimeUnit.MILLISECOND;
            case org.apache.arrow.flatbuf.TimeUnit.MICROSECOND -> TimeUnit.MICROSECOND;
            case org.apache.arrow.flatbuf.TimeUnit.NANOSECOND -> TimeUnit.NANOSECOND;
            default -> throw new IllegalArgumentException("a unit of time " + unit);
        };
    }

    /** Without type ids, the ids are the positions of the children. */
    private static ArrowType union(Union type, List<Field> children) {
        int count = type.typeIdsLength();
        if (count != 0 && count != children.size()) {
            throw new IllegalArgumentException(count + " type ids of a union of " + children.size() + " children");
        }
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            ids.add(count == 0 ? i : type.typeIds(i));
        }
        return switch (type.mode()) {
            case UnionMode.Sparse -> ArrowType.sparseUnion(ids, children);
            case UnionMode.Dense -> ArrowType.denseUnion(ids, children);
            default -> throw new IllegalArgumentException("a union of mode " + type.mode());
        };
    }
}
