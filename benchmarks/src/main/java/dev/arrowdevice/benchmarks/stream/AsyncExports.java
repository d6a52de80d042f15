package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.benchmarks.exchange.CHandler;
import dev.arrowdevice.benchmarks.exchange.CStreams;
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct;
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

/** An async stream to a consumer in C, which takes and releases each batch within the call that brings it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class AsyncExports {
    @Param("100")
    public int batches;

    private ReleaseBalance balance;
    private CStreams c;
    private RecordBatch batch;
    private long result;

    @Setup
    public void load() {
        balance = ReleaseBalance.start();
        c = Streams.inC();
        batch = Batches.ofRows(Streams.ROWS);
    }

    @TearDown
    public void check() {
        batch.close();
        c.close();
        balance.verify();
        Outcome.require((long) batches * Streams.ROWS, result);
    }

    /** Of a flow that emits one batch again and again. */
    @Benchmark
    public long flow() {
        CHandler handler = new CHandler();
        Flows.sent(batch, batches, CAsyncDeviceStreamHandlerStruct.at(handler.address()));
        return result = handler.close();
    }

    /** By the least that a producer in C does. */
    @Benchmark
    public long inC() {
        CHandler handler = new CHandler();
        c.send(batches, handler.address());
        return result = handler.close();
    }
}
