package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

/** What {@link IntBuilds} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaIntBuilds {
    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private IntVector vector;
    private int[] values;
    private boolean[] valid;

    @Setup
    public void prepare() {
        allocator = new RootAllocator();
        vector = new IntVector("c", allocator);
        values = IntStream.range(0, rows).toArray();
        valid = Nulls.valid(rows, IntBuilds.NULL_EVERY);
    }

    @TearDown
    public void check() {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            sum += vector.isNull(i) ? 0 : vector.get(i);
        }
        Outcome.require(Nulls.sumWithout(rows, IntBuilds.NULL_EVERY), sum);
        vector.close();
        allocator.close();
    }

    @Benchmark
    public IntVector setSafe() {
        vector.clear();
        for (int i = 0; i < values.length; i++) {
            if (valid[i]) {
                vector.setSafe(i, values[i]);
            } else {
                vector.setNull(i);
            }
        }
        vector.setValueCount(rows);
        return vector;
    }

    /** With room for all values from the beginning. */
    @Benchmark
    public IntVector set() {
        vector.clear();
        vector.allocateNew(rows);
        for (int i = 0; i < values.length; i++) {
            if (valid[i]) {
                vector.set(i, values[i]);
            } else {
                vector.setNull(i);
            }
        }
        vector.setValueCount(rows);
        return vector;
    }
}
