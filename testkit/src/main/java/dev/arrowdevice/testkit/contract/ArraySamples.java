package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DayTimeInterval;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Field;
import dev.arrowdevice.MonthDayNanoInterval;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceRuntime;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sample arrays, one of each type, some of them nested. */
final class ArraySamples {
    /** The rows of a sample. Every fourth is null. */
    static final int ROWS = 19;

    private static final String LONG_TEXT = "too long for a view without a data buffer";
    private static final List<ArraySamples> ALL = new ArrayList<>();

    static {
        numbers();
        texts();
        times();
        nested();
        extensions();
    }

    private final ArrowType type;
    private final List<@Nullable Object> rows;

    private ArraySamples(ArrowType type, List<@Nullable Object> rows) {
        this.type = type;
        this.rows = rows;
    }

    /** One of each type. */
    static List<ArraySamples> all() {
        return ALL;
    }

    /** The sample whose copy takes the most steps: lists of structs of strings, a dictionary and a union. */
    static ArraySamples deep() {
        return new ArraySamples(deepType(), deepRows());
    }

    ArrowType type() {
        return type;
    }

    DeviceArray build(DeviceRuntime runtime) {
        return build(runtime, rows);
    }

    /** Builds it on the CPU. */
    DeviceArray build() {
        return build(CpuRuntime.INSTANCE);
    }

    /** Builds the sample without rows. */
    DeviceArray buildEmpty(DeviceRuntime runtime) {
        return build(runtime, List.of());
    }

    private DeviceArray build(DeviceRuntime runtime, List<@Nullable Object> values) {
        try (ArrayBuilder builder = ArrayBuilder.of(Field.nullable("", type), runtime, UnaryOperator.identity())) {
            builder.appendAll(values);
            return builder.finish();
        }
    }

    /** A column of numbers without nulls. */
    static DeviceArray longs(DeviceRuntime runtime, int rows) {
        try (ArrayBuilder builder =
                ArrayBuilder.of(Field.nullable("", ArrowType.INT64), runtime, UnaryOperator.identity())) {
            long[] values = new long[rows];
            for (int i = 0; i < rows; i++) {
                values[i] = 1 + 7L * i;
            }
            builder.appendAll(values);
            return builder.finish();
        }
    }

    /** Compares an array on any device with one on the CPU. */
    static void checkValues(ArrayView expected, ArrayView actual, String what) {
        try (DeviceArray here = actual.copyTo(Device.CPU)) {
            checkEqual(expected.getLength(), here.getLength(), what + ": the length of " + expected.getType());
            check(
                    here.valuesEqual(expected),
                    what + ": " + expected.getType() + " is " + here + " and should be " + expected);
        }
    }

    private static void add(ArrowType type, Object... values) {
        List<@Nullable Object> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(i % 4 == 3 || values.length == 0 ? null : values[i % values.length]);
        }
        ALL.add(new ArraySamples(type, rows));
    }

    private static void numbers() {
        add(ArrowType.NULL);
        add(ArrowType.BOOL, true, false, true, true, false);
        for (ArrowType type : List.of(ArrowType.INT8, ArrowType.INT16, ArrowType.INT32, ArrowType.INT64)) {
            add(type, 1, -2, 127, -128, 5);
        }
        for (ArrowType type : List.of(ArrowType.UINT8, ArrowType.UINT16, ArrowType.UINT32, ArrowType.UINT64)) {
            add(type, 1, 200, 255, 0, 9);
        }
        for (ArrowType type : List.of(ArrowType.FLOAT16, ArrowType.FLOAT32, ArrowType.FLOAT64)) {
            add(type, 1.5f, -0.25f, 1024f, 0f, 3f);
        }
        for (ArrowType type : List.of(
                ArrowType.decimal32(7, 2),
                ArrowType.decimal64(12, 2),
                ArrowType.decimal128(30, 2),
                ArrowType.decimal256(60, 2))) {
            add(type, new BigDecimal("1.25"), new BigDecimal("-99999.99"), new BigDecimal("0.00"));
        }
    }

    private static void texts() {
        for (ArrowType type : List.of(ArrowType.UTF8, ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW)) {
            add(type, "Ada", "", LONG_TEXT, "größer", "x");
        }
        for (ArrowType type : List.of(ArrowType.BINARY, ArrowType.LARGE_BINARY, ArrowType.BINARY_VIEW)) {
            add(type, new byte[] {1, -1}, new byte[0], LONG_TEXT.getBytes(StandardCharsets.UTF_8));
        }
        add(ArrowType.fixedSizeBinary(3), new byte[] {1, 2, 3}, new byte[] {-1, -2, -3});
    }

    private static void times() {
        LocalDate day = LocalDate.of(2024, 2, 29);
        LocalTime time = LocalTime.of(12, 34, 56);
        add(ArrowType.DATE32, day, LocalDate.EPOCH, day.minusYears(100));
        add(ArrowType.DATE64, day, LocalDate.EPOCH, day.minusYears(100));
        add(ArrowType.time32(TimeUnit.SECOND), time, LocalTime.MIDNIGHT);
        add(ArrowType.time32(TimeUnit.MILLISECOND), time, LocalTime.MIDNIGHT);
        add(ArrowType.time64(TimeUnit.MICROSECOND), time, LocalTime.MIDNIGHT);
        add(ArrowType.time64(TimeUnit.NANOSECOND), time, LocalTime.MIDNIGHT);
        for (TimeUnit unit : TimeUnit.values()) {
            add(ArrowType.timestamp(unit), LocalDateTime.of(day, time), LocalDateTime.of(day, time.plusHours(1)));
            add(ArrowType.timestamp(unit, "UTC"), Instant.EPOCH, Instant.ofEpochSecond(1_700_000_000));
            add(ArrowType.duration(unit), Duration.ofSeconds(90), Duration.ofSeconds(-1));
        }
        add(ArrowType.INTERVAL_MONTHS, Period.ofMonths(13), Period.ofMonths(-1));
        add(ArrowType.INTERVAL_DAY_TIME, new DayTimeInterval(1, 2), new DayTimeInterval(-3, 4));
        add(ArrowType.INTERVAL_MONTH_DAY_NANO, new MonthDayNanoInterval(1, 2, 3), new MonthDayNanoInterval(-1, 0, 5));
    }

    private static void nested() {
        for (ArrowType type : List.of(
                ArrowType.list(ArrowType.UTF8),
                ArrowType.largeList(ArrowType.UTF8),
                ArrowType.listView(ArrowType.UTF8),
                ArrowType.largeListView(ArrowType.UTF8))) {
            add(type, List.of("a", LONG_TEXT), List.of(), List.of("b"), List.of("c", "d", "e"));
        }
        add(ArrowType.fixedSizeList(ArrowType.INT16, 2), List.of(1, 2), List.of(3, 4), List.of(5, 6));
        add(structOf(ArrowType.INT32, ArrowType.UTF8), List.of(1, "one"), List.of(2, LONG_TEXT), List.of(3, ""));
        add(ArrowType.map(ArrowType.UTF8, ArrowType.FLOAT64), Map.of("a", 1.5), Map.of(), Map.of(LONG_TEXT, -2.0));
        List<Field> choices =
                List.of(Field.nullable("number", ArrowType.INT32), Field.nullable("text", ArrowType.UTF8));
        for (ArrowType type :
                List.of(ArrowType.sparseUnion(List.of(5, 7), choices), ArrowType.denseUnion(List.of(5, 7), choices))) {
            add(type, Map.entry(0, 1), Map.entry(1, LONG_TEXT), Map.entry(0, 3), Map.entry(1, "x"));
        }
        add(ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.UTF8), "a", "a", "b");
        add(ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false), "red", "green", "red", LONG_TEXT);
        ALL.add(deep());
    }

    private static void extensions() {
        add(ArrowType.uuid(), new UUID(1, 2), new UUID(-3, 4));
        add(ArrowType.bool8(), true, false, true);
        add(ArrowType.json(), "{}", "[1, 2]");
        add(ArrowType.extension("acme.number", ArrowType.INT32, new byte[] {1}), 1, 2, 3);
    }

    private static ArrowType structOf(ArrowType first, ArrowType second) {
        return ArrowType.struct(Field.nullable("first", first), Field.nullable("second", second));
    }

    private static ArrowType deepType() {
        List<Field> choices = List.of(
                Field.nullable("numbers", ArrowType.list(ArrowType.INT64)),
                Field.nullable("text", ArrowType.UTF8_VIEW));
        return ArrowType.list(structOf(
                structOf(ArrowType.UTF8, ArrowType.dictionary(ArrowType.INT16, ArrowType.LARGE_UTF8, false)),
                ArrowType.denseUnion(List.of(0, 1), choices)));
    }

    private static List<@Nullable Object> deepRows() {
        Object first = List.of(List.of("Ada", "red"), Map.entry(0, List.of(1, 2, 3)));
        Object second = List.of(List.of(LONG_TEXT, "green"), Map.entry(1, LONG_TEXT));
        List<@Nullable Object> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(
                    i % 4 == 3
                            ? null
                            : i % 4 == 2
                                    ? List.of()
                                    : List.of(first, second, first).subList(0, 1 + i % 3));
        }
        return rows;
    }
}
