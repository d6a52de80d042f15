package dev.arrowdevice.benchmarks.ipc;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.builder.RecordBatchBuilder;
import java.util.ArrayList;
import java.util.List;

/** The batches that are written and read. */
public enum IpcData {
    /** 100 columns of int64, float64 and int32 in turns; of the last ones each tenth value is null. */
    COLUMNS(100, ArrowType.INT64, ArrowType.FLOAT64, ArrowType.INT32),
    /** One column of strings of eight characters. */
    STRINGS(1, ArrowType.UTF8),
    /** Four columns, of which one has nulls. */
    SMALL(4, ArrowType.INT64, ArrowType.UTF8, ArrowType.INT32, ArrowType.FLOAT64);

    private final Schema schema;

    IpcData(int columns, ArrowType... types) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            fields.add(Field.nullable("column_" + i, types[i % types.length]));
        }
        this.schema = Schema.of(fields);
    }

    RecordBatch build(int rows) {
        try (RecordBatchBuilder builder = RecordBatchBuilder.of(schema)) {
            for (ArrayBuilder column : builder.getColumns()) {
                for (int i = 0; i < rows; i++) {
                    append(column, i);
                }
            }
            return builder.finish();
        }
    }

    private static void append(ArrayBuilder column, int i) {
        switch (column.getType().id()) {
            case INT64 -> column.append((long) i * i);
            case FLOAT64 -> column.append(i * 0.5);
            case INT32 -> {
                if (i % 10 == 0) {
                    column.appendNull();
                } else {
                    column.append(i % 1000);
                }
            }
            default -> column.append((Object) String.format("%08d", i));
        }
    }
}
