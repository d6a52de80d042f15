package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.benchmarks.exchange.CStreams;
import dev.arrowdevice.testkit.ReleaseBalance;
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

/** What {@link StreamReads} does, as a flow. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class FlowReads {
    @Param("100")
    public int batches;

    @Param("HERE")
    public Caller caller;

    @Param("4")
    public int prefetch;

    private CStreams c;
    private ReleaseBalance balance;
    private long result;

    @Setup
    public void load() {
        balance = ReleaseBalance.start();
        c = Streams.inC();
    }

    @TearDown
    public void check() {
        c.close();
        balance.verify();
        Outcome.require((long) batches * Streams.ROWS, result);
    }

    @Benchmark
    public long collect() {
        try (DeviceArrayStream stream = Streams.imported(c, batches)) {
            return result = Flows.rows(stream, caller, prefetch);
        }
    }
}
