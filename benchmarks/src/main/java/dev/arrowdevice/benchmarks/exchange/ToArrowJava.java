package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.RecordBatch;
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
 * A batch of ours in vectors of Arrow Java, and its release: over the bridge, and over the C interface, by our export and
 * Arrow Java's import.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ToArrowJava {
    @Param("COLUMNS_100")
    public Kind kind;

    private BufferAllocator allocator;
    private RecordBatch batch;
    private VectorSchemaRoot target;

    @Setup
    public void build() {
        Balance.begin();
        allocator = new RootAllocator();
        batch = Samples.batch(kind, 1000);
        target = VectorSchemaRoot.create(ArrowJava.toArrowJava(batch.getSchema(), allocator), allocator);
        bridge();
        try (VectorSchemaRoot expected = ArrowJavaSamples.root(allocator, kind, 1000);
                VectorSchemaRoot root = ArrowJava.toVectorSchemaRoot(batch, allocator)) {
            ArrowJavaSamples.requireEqual(root, expected);
        }
    }

    @TearDown
    public void close() {
        target.close();
        batch.close();
        allocator.close();
        Balance.end();
    }

    @Benchmark
    public int bridge() {
        ArrowJava.loadInto(batch, target);
        int count = target.getRowCount();
        target.clear();
        return count;
    }

    @Benchmark
    public int bridgeWithSchema() {
        try (VectorSchemaRoot root = ArrowJava.toVectorSchemaRoot(batch, allocator)) {
            return root.getRowCount();
        }
    }

    @Benchmark
    public int cData() {
        try (CArrayStruct struct = CStruct.array();
                RecordBatch shared = batch.share()) {
            ArrowExport.exportBatch(shared, struct);
            Data.importIntoVectorSchemaRoot(allocator, ArrowArray.wrap(struct.getAddress()), target, null);
        }
        int count = target.getRowCount();
        target.clear();
        return count;
    }

    @Benchmark
    public int cDataWithSchema() {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema();
                RecordBatch shared = batch.share()) {
            ArrowExport.exportBatch(shared, struct, schema);
            try (VectorSchemaRoot root = Data.importVectorSchemaRoot(
                    allocator, ArrowArray.wrap(struct.getAddress()), ArrowSchema.wrap(schema.getAddress()), null)) {
                return root.getRowCount();
            }
        }
    }
}
