package dev.arrowdevice.benchmarks.exchange;

import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Roots of Arrow Java; those to import into are there already. */
final class ArrowJavaBatches extends Ends {
    private final BufferAllocator allocator = new RootAllocator();
    private final VectorSchemaRoot[] targets = new VectorSchemaRoot[COUNT];
    private final VectorSchemaRoot root;

    ArrowJavaBatches(Kind kind, int rows) {
        root = ArrowJavaSamples.root(allocator, kind, rows);
        for (int i = 0; i < COUNT; i++) {
            targets[i] = VectorSchemaRoot.create(root.getSchema(), allocator);
        }
    }

    @Override
    void exportAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            Data.exportVectorSchemaRoot(allocator, root, null, ArrowArray.wrap(slots.address(i)));
        }
    }

    @Override
    void importAll(Slots slots) {
        for (int i = 0; i < COUNT; i++) {
            Data.importIntoVectorSchemaRoot(allocator, ArrowArray.wrap(slots.address(i)), targets[i], null);
        }
    }

    @Override
    void closeAll() {
        for (VectorSchemaRoot imported : targets) {
            imported.clear();
        }
    }

    @Override
    void requireEqual() {
        ArrowJavaSamples.requireEqual(targets[COUNT - 1], root);
    }

    @Override
    public void close() {
        root.close();
        allocator.close();
    }
}
