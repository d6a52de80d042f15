package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import java.util.ArrayList;
import java.util.List;

/** What kind of array is exchanged. */
public enum Kind {
    INT32(ArrowType.INT32),
    /** Strings of 8 bytes. */
    UTF8_SHORT(ArrowType.UTF8),
    /** Strings of 200 bytes. */
    UTF8_LONG(ArrowType.UTF8),
    /** An int32 in a struct. */
    NESTED_1(nested(1)),
    NESTED_4(nested(4)),
    /** An int32 in sixteen structs, one within the other. */
    NESTED_16(nested(16)),
    /** The struct array that a batch of so many columns is; its fields take turns as int64, float64, utf8 and int32. */
    COLUMNS_1(columns(1)),
    COLUMNS_10(columns(10)),
    COLUMNS_100(columns(100)),
    COLUMNS_1000(columns(1000));

    final ArrowType type;

    Kind(ArrowType type) {
        this.type = type;
    }

    /** Whether it stands for a record batch. */
    boolean isBatch() {
        return name().startsWith("COLUMNS_");
    }

    private static ArrowType nested(int depth) {
        ArrowType type = ArrowType.INT32;
        for (int i = 0; i < depth; i++) {
            type = ArrowType.struct(Field.nullable("f", type));
        }
        return type;
    }

    private static ArrowType columns(int count) {
        List<ArrowType> turns = List.of(ArrowType.INT64, ArrowType.FLOAT64, ArrowType.UTF8, ArrowType.INT32);
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(Field.nullable("column " + i, turns.get(i % turns.size())));
        }
        return ArrowType.struct(fields);
    }
}
