package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.array.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.build.ArrayBuilder;
import dev.arrowdevice.testkit.ReleaseBalance;
import dev.arrowdevice.type.ArrowType;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Building an int64 array whose every tenth value is null. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LongBuilds {
    static final int NULL_EVERY = 10;

    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private long[] values;
    private boolean[] valid;
    private @Nullable DeviceArray built;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        values = LongStream.range(0, rows).toArray();
        valid = Nulls.valid(rows, NULL_EVERY);
    }

    @TearDown
    public void check() {
        DeviceArray array = Objects.requireNonNull(built);
        Outcome.require(rows, array.length());
        Outcome.require(Nulls.sumWithout(rows, NULL_EVERY), KotlinReads.sum(array));
        array.close();
        balance.verify();
    }

    @Benchmark
    public DeviceArray inBulk() {
        if (built != null) {
            built.close();
        }
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(values, valid);
            return built = builder.finish();
        }
    }
}
