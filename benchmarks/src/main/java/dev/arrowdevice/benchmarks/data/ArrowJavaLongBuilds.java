package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link LongBuilds} does, by Arrow Java, which has nothing for many values at once. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaLongBuilds {
    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private BigIntVector vector;
    private long[] values;
    private boolean[] valid;

    @Setup
    public void prepare() {
        allocator = new RootAllocator();
        vector = new BigIntVector("c", allocator);
        values = LongStream.range(0, rows).toArray();
        valid = Nulls.valid(rows, LongBuilds.NULL_EVERY);
    }

    @TearDown
    public void check() {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            sum += vector.isNull(i) ? 0 : vector.get(i);
        }
        Outcome.require(Nulls.sumWithout(rows, LongBuilds.NULL_EVERY), sum);
        vector.close();
        allocator.close();
    }

    /** With room for all values from the beginning. */
    @Benchmark
    public BigIntVector set() {
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
