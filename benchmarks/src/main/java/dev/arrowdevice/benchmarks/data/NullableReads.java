package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The sum of the values of an imported int64 array that are not null. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class NullableReads {
    @Param("1000")
    public int rows;

    /** One row in how many is null; 0: none. */
    @Param("100")
    public int nullEvery;

    private ReleaseBalance balance;
    private DeviceArray array;
    private long result;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(LongStream.range(0, rows).toArray(), Nulls.valid(rows, nullEvery));
            array = Foreign.imported(builder);
        }
    }

    @TearDown
    public void check() {
        array.close();
        balance.verify();
        Outcome.require(Nulls.sumWithout(rows, nullEvery), result);
    }

    @Benchmark
    public long byElement() {
        return result = array.<Long>borrow(reader -> {
            long sum = 0;
            for (long i = 0; i < reader.getLength(); i++) {
                if (!reader.isNull(i)) {
                    sum += reader.getLong(i);
                }
            }
            return sum;
        });
    }

    @Benchmark
    public long kotlinSum() {
        return result = KotlinReads.sum(array);
    }
}
