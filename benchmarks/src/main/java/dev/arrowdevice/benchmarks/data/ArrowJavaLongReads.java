package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
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

/** What {@link LongReads} and {@link NullableReads} do, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaLongReads {
    @Param("1000")
    public int rows;

    /** Every how many rows a null comes; 0: none. */
    @Param("100")
    public int nullEvery;

    private BufferAllocator allocator;
    private BigIntVector vector;
    private long result;

    @Setup
    public void build() {
        allocator = new RootAllocator();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(LongStream.range(0, rows).toArray(), Nulls.valid(rows, nullEvery));
            vector = (BigIntVector) ArrowJavaForeign.imported(allocator, builder);
        }
    }

    @TearDown
    public void check() {
        vector.close();
        allocator.close();
        Outcome.require(Nulls.sumWithout(rows, nullEvery), result);
    }

    /** {@code get} looks for a null and throws; there is none. */
    @Benchmark
    public long get() {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            sum += vector.get(i);
        }
        return result = sum;
    }

    @Benchmark
    public long getIfNotNull() {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            if (!vector.isNull(i)) {
                sum += vector.get(i);
            }
        }
        return result = sum;
    }
}
