package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

/** Building an int32 array whose every tenth value is null, in memory that grows. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class IntBuilds {
    static final int NULL_EVERY = 10;

    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private int[] values;
    private boolean[] valid;
    private @Nullable DeviceArray built;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        values = IntStream.range(0, rows).toArray();
        valid = Nulls.valid(rows, NULL_EVERY);
    }

    @TearDown
    public void check() {
        DeviceArray array = Objects.requireNonNull(built);
        Outcome.require(rows, array.getLength());
        Outcome.require(Nulls.sumWithout(rows, NULL_EVERY), KotlinReads.sumOfInts(array));
        array.close();
        balance.verify();
    }

    @Benchmark
    public DeviceArray dsl() {
        closeLast();
        return built = KotlinBuilds.ints(values, valid);
    }

    /** The DSL with room for all values from the beginning. */
    @Benchmark
    public DeviceArray dslReserved() {
        closeLast();
        return built = KotlinBuilds.reservedInts(values, valid);
    }

    @Benchmark
    public DeviceArray builder() {
        closeLast();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT32)) {
            for (int i = 0; i < values.length; i++) {
                if (valid[i]) {
                    builder.append(values[i]);
                } else {
                    builder.appendNull();
                }
            }
            return built = builder.finish();
        }
    }

    @Benchmark
    public DeviceArray inBulk() {
        closeLast();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT32)) {
            builder.appendAll(values, valid);
            return built = builder.finish();
        }
    }

    private void closeLast() {
        if (built != null) {
            built.close();
        }
    }
}
