package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.util.ValueVectorUtility;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link Validations} does, by Arrow Java, which imports first and then validates. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaValidations {
    @Param("int32")
    public String kind;

    @Param("1")
    public int megabytes;

    private BufferAllocator allocator;
    private FieldVector vector;
    private FieldVector target;
    private long result;

    @Setup
    public void build() {
        allocator = new RootAllocator();
        vector = ArrowJavaForeign.imported(allocator, ValidatedArrays.build(kind, megabytes * 1_000_000));
        target = vector.getField().createVector(allocator);
    }

    @TearDown
    public void check() {
        Outcome.require(vector.getValueCount(), result);
        target.close();
        vector.close();
        allocator.close();
    }

    @Benchmark
    public long imported() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator)) {
            Data.exportVector(allocator, vector, null, struct);
            Data.importIntoVector(allocator, struct, target, null);
        }
        ValueVectorUtility.validateFull(target);
        result = target.getValueCount();
        target.clear();
        return result;
    }
}
