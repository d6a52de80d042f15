package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.builder.ArrayBuilder;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** Arrays of about a given size. */
final class ValidatedArrays {
    private static final int SHORT = 8;
    private static final int LONG = 200;
    private static final int DISTINCT = 1_000;

    private ValidatedArrays() {}

    static DeviceArray build(String kind, int byteSize) {
        return switch (kind) {
            case "int32" -> ints(byteSize / Integer.BYTES);
            case "utf8-short" -> texts(ArrowType.UTF8, byteSize, SHORT, true);
            case "utf8-long" -> texts(ArrowType.UTF8, byteSize, LONG, true);
            case "utf8-short-non-ascii" -> texts(ArrowType.UTF8, byteSize, SHORT, false);
            case "utf8-long-non-ascii" -> texts(ArrowType.UTF8, byteSize, LONG, false);
            case "dictionary" -> dictionary(byteSize / Integer.BYTES);
            case "list" -> ListReads.lists(byteSize / (ListReads.LIST_SIZE * Long.BYTES + Integer.BYTES));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static DeviceArray ints(int rows) {
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT32)) {
            builder.appendAll(IntStream.range(0, rows).toArray(), Nulls.valid(rows, 100));
            return builder.finish();
        }
    }

    private static DeviceArray texts(ArrowType type, int byteSize, int size, boolean ascii) {
        String[] texts = Texts.of(DISTINCT, size, ascii);
        int bytes = String.join("", texts).getBytes(StandardCharsets.UTF_8).length;
        return repeated(type, texts, (int) ((long) byteSize * DISTINCT / (bytes + DISTINCT * Integer.BYTES)));
    }

    private static DeviceArray dictionary(int rows) {
        return repeated(ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8, false), Texts.of(DISTINCT, SHORT), rows);
    }

    private static DeviceArray repeated(ArrowType type, String[] texts, int rows) {
        try (ArrayBuilder builder = ArrayBuilder.of(type)) {
            for (int i = 0; i < rows; i++) {
                builder.append(texts[i % texts.length]);
            }
            return builder.finish();
        }
    }
}
