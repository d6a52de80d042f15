package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Objects of a class of ten properties to a batch and back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ClassRows {
    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private List<?> trades;
    private RecordBatch batch;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        trades = KotlinClasses.trades(rows);
        batch = KotlinClasses.toBatch(trades);
    }

    @TearDown
    public void check() {
        Outcome.require(rows, batch.getRowCount());
        if (!KotlinClasses.toList(batch).equals(trades)
                || !KotlinClasses.toListByHand(batch).equals(trades)) {
            throw new IllegalStateException("other objects came back");
        }
        batch.close();
        balance.verify();
    }

    @Benchmark
    public long toBatch() {
        try (RecordBatch built = KotlinClasses.toBatch(trades)) {
            return built.getRowCount();
        }
    }

    @Benchmark
    public long toBatchByHand() {
        try (RecordBatch built = KotlinClasses.toBatchByHand(trades)) {
            return built.getRowCount();
        }
    }

    @Benchmark
    public List<?> toList() {
        return KotlinClasses.toList(batch);
    }

    @Benchmark
    public List<?> toListByHand() {
        return KotlinClasses.toListByHand(batch);
    }
}
