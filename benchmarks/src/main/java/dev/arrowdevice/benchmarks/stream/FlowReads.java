package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.array.DeviceArrayStream;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.testkit.CPeer;
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

    private CPeer peer;
    private ReleaseBalance balance;
    private long result;

    @Setup
    public void load() {
        peer = CPeer.load();
        balance = ReleaseBalance.start(peer);
    }

    @TearDown
    public void check() {
        balance.verify();
        Outcome.require((long) batches * PeerStreams.ROWS, result);
    }

    @Benchmark
    public long collect() {
        try (DeviceArrayStream stream = PeerStreams.imported(peer, batches)) {
            return result = Flows.rows(stream, caller, prefetch);
        }
    }
}
