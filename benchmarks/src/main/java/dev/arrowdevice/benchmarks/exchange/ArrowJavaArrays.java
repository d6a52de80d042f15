package dev.arrowdevice.benchmarks.exchange;

import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;

/** Vectors of Arrow Java; those to import into are there already. */
final class ArrowJavaArrays extends Ends {
    private final BufferAllocator allocator = new RootAllocator();
    private final FieldVector[] targets = new FieldVector[COUNT];
    private final FieldVector vector;

    ArrowJavaArrays(Kind kind, int rows) {
        vector = ArrowJavaSamples.vector(allocator, kind, rows, 0);
        for (int i = 0; i < COUNT; i++) {
            targets[i] = vector.getField().createVector(allocator);
        }
    }

    @Override
    void exportAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            Data.exportVector(allocator, vector, null, ArrowArray.wrap(slots.address(i)));
        }
    }

    @Override
    void importAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            Data.importIntoVector(allocator, ArrowArray.wrap(slots.address(i)), targets[i], null);
        }
    }

    @Override
    void closeAll() {
        for (FieldVector imported : targets) {
            imported.clear();
        }
    }

    @Override
    void requireEqual() {
        ArrowJavaSamples.requireEqual(targets[COUNT - 1], vector);
    }

    @Override
    public void close() {
        vector.close();
        allocator.close();
    }
}
