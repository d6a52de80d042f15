package dev.arrowdevice.benchmarks.program;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.builder.ArrayBuilder;

/** The first thing a JVM does is to build an array, to export it with its schema, to import it, to read it and to release it. */
public final class FirstExchange {
    private static final int ROWS = 1000;

    private FirstExchange() {}

    public static void main(String[] arguments) {
        long begin = System.nanoTime();
        long sum = 0;
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT32);
                CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema()) {
            for (int i = 0; i < ROWS; i++) {
                builder.append(i);
            }
            ArrowExport.exportArray(builder.finish(), struct, schema);
            try (DeviceArray array = ArrowImport.importArray(struct, schema)) {
                for (int i = 0; i < ROWS; i++) {
                    sum += array.getInt(i);
                }
            }
        }
        long end = System.nanoTime();
        if (sum != ROWS * (ROWS - 1L) / 2) {
            throw new AssertionError("read a sum of " + sum);
        }
        Figures.print(end - begin);
    }
}
