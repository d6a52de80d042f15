package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.CArrayStreamStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
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

/** A stream of C, from its beginning to its end. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class StreamReads {
    @Param("100")
    public int batches;

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
    public long nextBatch() {
        long rows = 0;
        try (DeviceArrayStream stream = Streams.imported(c, batches)) {
            while (true) {
                try (RecordBatch batch = stream.nextBatch()) {
                    if (batch == null) {
                        return result = rows;
                    }
                    rows += batch.getRowCount();
                }
            }
        }
    }

    /** The least that a consumer in C does. */
    @Benchmark
    public long inC() {
        try (CArrayStreamStruct struct = CStruct.arrayStream()) {
            c.produce(batches, struct.getAddress());
            return result = CStreams.consume(struct.getAddress());
        }
    }
}
