package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What {@link BatchRoundTrip} does, by Arrow Java. If the schema is known, the root to import into exists already.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaBatchRoundTrip {
    @Param("COLUMNS_100")
    public Kind kind;

    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private VectorSchemaRoot root;
    private VectorSchemaRoot target;

    @Setup
    public void build() {
        Balance.begin();
        allocator = new RootAllocator();
        root = ArrowJavaSamples.root(allocator, kind, rows);
        target = VectorSchemaRoot.create(root.getSchema(), allocator);
        exchange();
        ArrowJavaSamples.requireEqual(target, root);
        try (VectorSchemaRoot imported = exchangeWithSchema()) {
            ArrowJavaSamples.requireEqual(imported, root);
        }
    }

    @TearDown
    public void close() {
        target.close();
        root.close();
        allocator.close();
        Balance.end();
    }

    @Benchmark
    public int schemaKnown() {
        exchange();
        int count = target.getRowCount();
        target.clear();
        return count;
    }

    @Benchmark
    public int withSchema() {
        try (VectorSchemaRoot imported = exchangeWithSchema()) {
            return imported.getRowCount();
        }
    }

    private void exchange() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, null, struct);
            Data.importIntoVectorSchemaRoot(allocator, struct, target, null);
        }
    }

    private VectorSchemaRoot exchangeWithSchema() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, null, struct, schema);
            return Data.importVectorSchemaRoot(allocator, struct, schema, null);
        }
    }
}
