package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link StringBuilds} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaStringBuilds {
    @Param("1000")
    public int rows;

    @Param("8")
    public int size;

    private BufferAllocator allocator;
    private VarCharVector vector;
    private String[] values;

    @Setup
    public void prepare() {
        allocator = new RootAllocator();
        vector = new VarCharVector("c", allocator);
        values = Texts.of(rows, size);
    }

    @TearDown
    public void check() {
        Outcome.require(rows, vector.getValueCount());
        Outcome.require(0, values[rows - 1].compareTo(vector.getObject(rows - 1).toString()));
        vector.close();
        allocator.close();
    }

    @Benchmark
    public VarCharVector setSafe() {
        vector.clear();
        for (int i = 0; i < values.length; i++) {
            vector.setSafe(i, values[i].getBytes(StandardCharsets.UTF_8));
        }
        vector.setValueCount(rows);
        return vector;
    }
}
