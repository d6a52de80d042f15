package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.benchmarks.exchange.CStreams;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link StreamReads} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaStreamReads {
    @Param("100")
    public int batches;

    private CStreams c;
    private ReleaseBalance balance;
    private BufferAllocator allocator;
    private long result;

    @Setup
    public void load() {
        balance = ReleaseBalance.start();
        c = Streams.inC();
        allocator = new RootAllocator();
    }

    @TearDown
    public void check() {
        allocator.close();
        c.close();
        balance.verify();
        Outcome.require((long) batches * Streams.ROWS, result);
    }

    @Benchmark
    public long loadNextBatch() throws IOException {
        try (ArrowArrayStream struct = ArrowArrayStream.allocateNew(allocator)) {
            c.produce(batches, struct.memoryAddress());
            try (ArrowReader reader = Data.importArrayStream(allocator, struct)) {
                long rows = 0;
                while (reader.loadNextBatch()) {
                    rows += reader.getVectorSchemaRoot().getRowCount();
                }
                return result = rows;
            }
        }
    }
}
