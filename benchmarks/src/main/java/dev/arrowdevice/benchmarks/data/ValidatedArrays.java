package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.array.DeviceArray;
import dev.arrowdevice.build.ArrayBuilder;
import dev.arrowdevice.type.ArrowType;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Arrays of about a given size. */
final class ValidatedArrays {
    private static final int SHORT = 8;
    private static final int LONG = 200;
    private static final int DISTINCT = 1_000;

    private ValidatedArrays() {}

    static DeviceArray build(String kind, int byteSize) {
        return switch (kind) {
            case "int32" -> ints(byteSize / Integer.BYTES);
            case "utf8-short" -> texts(ArrowType.UTF8, byteSize / (SHORT + Integer.BYTES), SHORT);
            case "utf8-long" -> texts(ArrowType.UTF8, byteSize / (LONG + Integer.BYTES), LONG);
            case "dictionary" ->
                texts(ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8, false), byteSize / Integer.BYTES, SHORT);
            case "list" -> lists(byteSize / (ListReads.LIST_SIZE * Long.BYTES + Integer.BYTES));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static DeviceArray ints(int rows) {
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT32)) {
            builder.appendAll(IntStream.range(0, rows).toArray(), Nulls.valid(rows, 100));
            return builder.finish();
        }
    }

    private static DeviceArray texts(ArrowType type, int rows, int size) {
        String[] texts = Texts.of(DISTINCT, size);
        try (ArrayBuilder builder = ArrayBuilder.of(type)) {
            for (int i = 0; i < rows; i++) {
                builder.append(texts[i % DISTINCT]);
            }
            return builder.finish();
        }
    }

    private static DeviceArray lists(int rows) {
        long[] list = LongStream.range(0, ListReads.LIST_SIZE).toArray();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.list(ArrowType.INT64))) {
            for (int i = 0; i < rows; i++) {
                builder.append(list);
            }
            return builder.finish();
        }
    }
}
