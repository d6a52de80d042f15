package dev.arrowdevice.benchmarks.program;

import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;

/** What {@link FirstExchange} does, by Arrow Java. */
public final class ArrowJavaFirstExchange {
    private static final int ROWS = 1000;

    private ArrowJavaFirstExchange() {}

    public static void main(String[] arguments) {
        long begin = System.nanoTime();
        long sum = 0;
        try (BufferAllocator allocator = new RootAllocator();
                ArrowArray struct = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            try (IntVector vector = new IntVector("c", allocator)) {
                for (int i = 0; i < ROWS; i++) {
                    vector.setSafe(i, i);
                }
                vector.setValueCount(ROWS);
                Data.exportVector(allocator, vector, null, struct, schema);
            }
            try (IntVector vector = (IntVector) Data.importVector(allocator, struct, schema, null)) {
                for (int i = 0; i < ROWS; i++) {
                    sum += vector.get(i);
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
