package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link ArrayRoundTrip} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaArrayRoundTrip {
    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private IntVector vector;
    private IntVector target;

    @Setup
    public void build() {
        allocator = new RootAllocator();
        vector = new IntVector("c", allocator);
        vector.allocateNew(rows);
        for (int i = 0; i < rows; i++) {
            vector.set(i, i);
        }
        vector.setValueCount(rows);
        target = new IntVector("c", allocator);
    }

    @TearDown
    public void close() {
        target.close();
        vector.close();
        allocator.close();
    }

    @Benchmark
    public void typeKnown() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator)) {
            Data.exportVector(allocator, vector, null, struct);
            Data.importIntoVector(allocator, struct, target, null);
            target.clear();
        }
    }

    @Benchmark
    public void withSchema() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            Data.exportVector(allocator, vector, null, struct, schema);
            Data.importVector(allocator, struct, schema, null).close();
        }
    }
}
