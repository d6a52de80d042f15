package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.arrowjava.ArrowJava;
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
 * A root of Arrow Java as a batch of ours, and its release: over the bridge, and by Arrow Java's own export over the C
 * interface, which our import would have to follow.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class FromArrowJava {
    @Param("COLUMNS_100")
    public Kind kind;

    private BufferAllocator allocator;
    private VectorSchemaRoot root;
    private Schema schema;

    @Setup
    public void build() {
        Balance.begin();
        allocator = new RootAllocator();
        root = ArrowJavaSamples.root(allocator, kind, 1000);
        schema = ArrowJava.toSchema(root.getSchema());
        try (RecordBatch batch = ArrowJava.toRecordBatch(root);
                RecordBatch expected = Samples.batch(kind, 1000)) {
            if (!batch.valuesEqual(expected)) {
                throw new AssertionError("the batch has other values than the root");
            }
        }
    }

    @TearDown
    public void close() {
        root.close();
        allocator.close();
        Balance.end();
    }

    @Benchmark
    public long bridge() {
        try (RecordBatch batch = ArrowJava.toRecordBatch(root, schema)) {
            return batch.getRowCount();
        }
    }

    @Benchmark
    public long bridgeWithSchema() {
        try (RecordBatch batch = ArrowJava.toRecordBatch(root)) {
            return batch.getRowCount();
        }
    }

    @Benchmark
    public long cData() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, null, struct);
            struct.release();
            return root.getRowCount();
        }
    }

    @Benchmark
    public long cDataWithSchema() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator);
                ArrowSchema target = ArrowSchema.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, null, struct, target);
            struct.release();
            target.release();
            return root.getRowCount();
        }
    }
}
