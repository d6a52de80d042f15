package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStreamStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.benchmarks.exchange.CStreams;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Streams that are exported and read by C, which releases each batch unread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class StreamExports {
    @Param("100")
    public int batches;

    @Param("0")
    public int prefetch;

    private ReleaseBalance balance;
    private RecordBatch batch;
    private long result;

    @Setup
    public void load() {
        balance = ReleaseBalance.start();
        batch = Batches.ofRows(Streams.ROWS);
    }

    @TearDown
    public void check() {
        batch.close();
        balance.verify();
        Outcome.require((long) batches * Streams.ROWS, result);
    }

    /** Of an iterator that gives one batch again and again. */
    @Benchmark
    public long iterator() {
        Iterator<RecordBatch> shares =
                Stream.generate(batch::share).limit(batches).iterator();
        try (CArrayStreamStruct struct = CStruct.arrayStream()) {
            ArrowExport.exportStream(DeviceArrayStream.of(batch.getSchema(), shares), struct);
            return result = CStreams.consume(struct.getAddress());
        }
    }

    /** Of a flow that emits one batch again and again. */
    @Benchmark
    public long flow() {
        try (CArrayStreamStruct struct = CStruct.arrayStream()) {
            return result = Flows.exported(batch, batches, prefetch, struct);
        }
    }
}
