package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.testkit.ReleaseBalance;
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

/** Building a batch of five columns row by row: int64, nullable int32, float64, bool and utf8. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class BatchBuilds {
    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private String[] names;
    private @Nullable RecordBatch built;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        names = Texts.of(1_000, 8);
    }

    @TearDown
    public void check() {
        RecordBatch batch = Objects.requireNonNull(built);
        Outcome.require(rows, batch.getRowCount());
        Outcome.require(rows * (rows - 1L) / 2, KotlinReads.sum(batch.column(0)));
        Outcome.require(8L * rows, KotlinReads.sumOfLengths(batch.column(4)));
        batch.close();
        balance.verify();
    }

    @Benchmark
    public RecordBatch dsl() {
        if (built != null) {
            built.close();
        }
        return built = KotlinBuilds.batch(rows, names);
    }
}
