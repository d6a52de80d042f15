package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
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
 * What {@link SchemaRoundTrip} does, by Arrow Java.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaSchemaRoundTrip {
    @Param("COLUMNS_100")
    public Kind kind;

    private BufferAllocator allocator;
    private Schema schema;

    @Setup
    public void build() {
        Balance.begin();
        allocator = new RootAllocator();
        try (VectorSchemaRoot root = ArrowJavaSamples.root(allocator, kind, 1)) {
            schema = root.getSchema();
        }
        if (!exchange().equals(schema)) {
            throw new AssertionError("what was imported is not what was exported");
        }
    }

    @TearDown
    public void close() {
        allocator.close();
        Balance.end();
    }

    @Benchmark
    public Schema exchange() {
        try (ArrowSchema struct = ArrowSchema.allocateNew(allocator)) {
            Data.exportSchema(allocator, schema, null, struct);
            return Data.importSchema(allocator, struct, null);
        }
    }
}
