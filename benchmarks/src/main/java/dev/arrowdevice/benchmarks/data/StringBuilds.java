package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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

/** Building a utf8 array of strings. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class StringBuilds {
    @Param("1000")
    public int rows;

    /** Characters of each value, all ASCII. */
    @Param("8")
    public int size;

    private ReleaseBalance balance;
    private String[] values;
    private List<String> list;
    private @Nullable DeviceArray built;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        values = Texts.of(rows, size);
        list = List.of(values);
    }

    @TearDown
    public void check() {
        DeviceArray array = Objects.requireNonNull(built);
        Outcome.require((long) rows * size, KotlinReads.sumOfLengths(array));
        array.close();
        balance.verify();
    }

    @Benchmark
    public DeviceArray dsl() {
        closeLast();
        return built = KotlinBuilds.strings(values);
    }

    @Benchmark
    public DeviceArray inBulk() {
        closeLast();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.UTF8)) {
            builder.appendAll(list);
            return built = builder.finish();
        }
    }

    private void closeLast() {
        if (built != null) {
            built.close();
        }
    }
}
