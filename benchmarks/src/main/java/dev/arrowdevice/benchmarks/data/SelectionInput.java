package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.builder.ArrayBuilder;
import java.util.Random;

/** An array, and which of its elements are selected. The same rows each time. */
final class SelectionInput {
    private static final int TEXT_SIZE = 8;
    private static final long SEED = 42;

    private SelectionInput() {}

    /** @param kind int64 or utf8-short */
    static DeviceArray values(String kind, int rows) {
        boolean numbers = kind.equals("int64");
        String[] texts = numbers ? new String[0] : Texts.of(rows, TEXT_SIZE);
        try (ArrayBuilder builder = ArrayBuilder.of(numbers ? ArrowType.INT64 : ArrowType.UTF8)) {
            for (int i = 0; i < rows; i++) {
                if (numbers) {
                    builder.append((long) i);
                } else {
                    builder.append(texts[i]);
                }
            }
            return builder.finish();
        }
    }

    /** A random mask, of which {@code percent} of a hundred are true. */
    static DeviceArray mask(int rows, int percent) {
        Random random = new Random(SEED);
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.BOOL)) {
            for (int i = 0; i < rows; i++) {
                builder.append(random.nextInt(100) < percent);
            }
            return builder.finish();
        }
    }

    /** As many indices as rows, at random. */
    static DeviceArray indices(int rows) {
        long[] indices = new Random(SEED).longs(rows, 0, rows).toArray();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(indices);
            return builder.finish();
        }
    }
}
