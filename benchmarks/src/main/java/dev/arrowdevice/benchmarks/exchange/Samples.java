package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.builder.StructBuilder;

/** Arrays and batches of which no two rows are equal. */
final class Samples {
    private Samples() {}

    /** An array whose values, those of its innermost fields where it is nested, are null so many times in a hundred. */
    static DeviceArray array(Kind kind, int rows, int nulls) {
        try (ArrayBuilder builder = ArrayBuilder.of(kind.type)) {
            append(builder, kind, rows, nulls);
            return builder.finish();
        }
    }

    /** A batch without nulls. */
    static RecordBatch batch(Kind kind, int rows) {
        Schema schema = Schema.fromStruct(Field.notNull("", kind.type));
        DeviceArray struct = array(kind, rows, 0);
        try {
            return RecordBatch.ofStruct(schema, struct);
        } catch (RuntimeException e) {
            struct.close();
            throw e;
        }
    }

    private static void append(ArrayBuilder builder, Kind kind, int rows, int nulls) {
        if (builder instanceof StructBuilder) {
            for (ArrayBuilder child : ((StructBuilder) builder).getChildren()) {
                append(child, kind, rows, nulls);
            }
            return;
        }
        for (int i = 0; i < rows; i++) {
            if ((long) i * nulls % 100 < nulls) {
                builder.appendNull();
                continue;
            }
            switch (builder.getType().id()) {
                case INT32:
                    builder.append(i);
                    break;
                case INT64:
                    builder.append((long) i << 20);
                    break;
                case FLOAT64:
                    builder.append(i / 2.0);
                    break;
                default:
                    builder.append((Object) (kind == Kind.UTF8_LONG ? "%0200d" : "%08d").formatted(i));
            }
        }
    }
}
