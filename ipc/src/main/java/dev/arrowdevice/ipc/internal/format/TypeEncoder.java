package dev.arrowdevice.ipc.internal.format;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.FixedSizeBinaryType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.MapType;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TimestampType;
import dev.arrowdevice.UnionType;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.BinaryView;
import org.apache.arrow.flatbuf.Bool;
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
import org.apache.arrow.flatbuf.LargeBinary;
import org.apache.arrow.flatbuf.LargeList;
import org.apache.arrow.flatbuf.LargeListView;
import org.apache.arrow.flatbuf.LargeUtf8;
import org.apache.arrow.flatbuf.List;
import org.apache.arrow.flatbuf.ListView;
import org.apache.arrow.flatbuf.Map;
import org.apache.arrow.flatbuf.Null;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RunEndEncoded;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;
import org.apache.arrow.flatbuf.Utf8;
import org.apache.arrow.flatbuf.Utf8View;

/** Writes storage types that are not dictionaries. */
final class TypeEncoder {
    private TypeEncoder() {}

    /** The kind of a type, as a field has it. */
    static byte kind(ArrowType type) {
        return switch (type.id()) {
            case NULL -> Type.Null;
            case BOOL -> Type.Bool;
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> Type.Int;
            case FLOAT16, FLOAT32, FLOAT64 -> Type.FloatingPoint;
            case DECIMAL32, DECIMAL64, DECIMAL128, DECIMAL256 -> Type.Decimal;
            case UTF8 -> Type.Utf8;
            case LARGE_UTF8 -> Type.LargeUtf8;
            case UTF8_VIEW -> Type.Utf8View;
            case BINARY -> Type.Binary;
            case LARGE_BINARY -> Type.LargeBinary;
            case BINARY_VIEW -> Type.BinaryView;
            case FIXED_SIZE_BINARY -> Type.FixedSizeBinary;
            case DATE32, DATE64 -> Type.Date;
            case TIME32, TIME64 -> Type.Time;
            case TIMESTAMP -> Type.Timestamp;
            case DURATION -> Type.Duration;
            case INTERVAL_MONTHS, INTERVAL_DAY_TIME, INTERVAL_MONTH_DAY_NANO -> Type.Interval;
            case LIST -> Type.List;
            case LARGE_LIST -> Type.LargeList;
            case LIST_VIEW -> Type.ListView;
            case LARGE_LIST_VIEW -> Type.LargeListView;
            case FIXED_SIZE_LIST -> Type.FixedSizeList;
            case STRUCT -> Type.Struct_;
            case MAP -> Type.Map;
            case SPARSE_UNION, DENSE_UNION -> Type.Union;
            case RUN_END_ENCODED -> Type.RunEndEncoded;
            default -> throw new IllegalArgumentException("a field of type " + type);
        };
    }

    /** Writes the table of a type; returns its offset. */
    static int encode(FlatBufferBuilder b, ArrowType type) {
        return switch (type.id()) {
            case NULL -> empty(b, Null::startNull, Null::endNull);
            case BOOL -> empty(b, Bool::startBool, Bool::endBool);
            case INT8 -> Int.createInt(b, 8, true);
            case UINT8 -> Int.createInt(b, 8, false);
            case INT16 -> Int.createInt(b, 16, true);
            case UINT16 -> Int.createInt(b, 16, false);
            case INT32 -> Int.createInt(b, 32, true);
            case UINT32 -> Int.createInt(b, 32, false);
            case INT64 -> Int.createInt(b, 64, true);
            case UINT64 -> Int.createInt(b, 64, false);
            case FLOAT16 -> FloatingPoint.createFloatingPoint(b, Precision.HALF);
            case FLOAT32 -> FloatingPoint.createFloatingPoint(b, Precision.SINGLE);
            case FLOAT64 -> FloatingPoint.createFloatingPoint(b, Precision.DOUBLE);
            case DECIMAL32, DECIMAL64, DECIMAL128, DECIMAL256 -> {
                DecimalType decimal = (DecimalType) type;
                yield Decimal.createDecimal(b, decimal.precision(), decimal.scale(), decimal.bitWidth());
            }
            case UTF8 -> empty(b, Utf8::startUtf8, Utf8::endUtf8);
            case LARGE_UTF8 -> empty(b, LargeUtf8::startLargeUtf8, LargeUtf8::endLargeUtf8);
            case UTF8_VIEW -> empty(b, Utf8View::startUtf8View, Utf8View::endUtf8View);
            case BINARY -> empty(b, Binary::startBinary, Binary::endBinary);
            case LARGE_BINARY -> empty(b, LargeBinary::startLargeBinary, LargeBinary::endLargeBinary);
            case BINARY_VIEW -> empty(b, BinaryView::startBinaryView, BinaryView::endBinaryView);
            case FIXED_SIZE_BINARY ->
                FixedSizeBinary.createFixedSizeBinary(b, ((FixedSizeBinaryType) type).byteWidth());
            case DATE32 -> Date.createDate(b, DateUnit.DAY);
            case DATE64 -> Date.createDate(b, DateUnit.MILLISECOND);
            case TIME32 -> Time.createTime(b, unit(((TimeType) type).unit()), 32);
            case TIME64 -> Time.createTime(b, unit(((TimeType) type).unit()), 64);
            case TIMESTAMP -> {
                TimestampType timestamp = (TimestampType) type;
                int zone = timestamp.timezone() == null ? 0 : b.createString(timestamp.timezone());
                yield Timestamp.createTimestamp(b, unit(timestamp.unit()), zone);
            }
            case DURATION -> Duration.createDuration(b, unit(((DurationType) type).unit()));
            case INTERVAL_MONTHS -> Interval.createInterval(b, IntervalUnit.YEAR_MONTH);
            case INTERVAL_DAY_TIME -> Interval.createInterval(b, IntervalUnit.DAY_TIME);
            case INTERVAL_MONTH_DAY_NANO -> Interval.createInterval(b, IntervalUnit.MONTH_DAY_NANO);
            case LIST -> empty(b, List::startList, List::endList);
            case LARGE_LIST -> empty(b, LargeList::startLargeList, LargeList::endLargeList);
            case LIST_VIEW -> empty(b, ListView::startListView, ListView::endListView);
            case LARGE_LIST_VIEW -> empty(b, LargeListView::startLargeListView, LargeListView::endLargeListView);
            case FIXED_SIZE_LIST -> FixedSizeList.createFixedSizeList(b, ((FixedSizeListType) type).listSize());
            case STRUCT -> empty(b, Struct_::startStruct_, Struct_::endStruct_);
            case MAP -> Map.createMap(b, ((MapType) type).keysSorted());
            case SPARSE_UNION -> union(b, (UnionType) type, UnionMode.Sparse);
            case DENSE_UNION -> union(b, (UnionType) type, UnionMode.Dense);
            case RUN_END_ENCODED -> empty(b, RunEndEncoded::startRunEndEncoded, RunEndEncoded::endRunEndEncoded);
            default -> throw new IllegalArgumentException("a field of type " + type);
        };
    }

    private interface Start {
        void start(FlatBufferBuilder builder);
    }

    private interface End {
        int end(FlatBufferBuilder builder);
    }

    /** A table without members. */
    private static int empty(FlatBufferBuilder builder, Start start, End end) {
        start.start(builder);
        return end.end(builder);
    }

    private static int union(FlatBufferBuilder builder, UnionType type, short mode) {
        int[] ids = type.typeIds().stream().mapToInt(Integer::intValue).toArray();
        return Union.createUnion(builder, mode, Union.createTypeIdsVector(builder, ids));
    }

    private static short unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> org.apache.arrow.flatbuf.TimeUnit.SECOND;
            case MILLISECOND -> org.apache.arrow.flatbuf.TimeUnit.MILLISECOND;
            case MICROSECOND -> org.apache.arrow.flatbuf.TimeUnit.MICROSECOND;
            case NANOSECOND -> org.apache.arrow.flatbuf.TimeUnit.NANOSECOND;
        };
    }
}
