package dev.arrowdevice.benchmarks.ipc;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.ipc.ArrowStreamReader;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.nio.channels.ReadableByteChannel;
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

/** A stream that is read, from the schema to the end. No value is looked at. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class IpcReads {
    @Param("COLUMNS")
    public IpcData data;

    /** Of a batch. */
    @Param("10")
    public int rows;

    @Param("1")
    public int batches;

    @Param(IpcStreams.NOT_COMPRESSED)
    public String compression;

    private ReleaseBalance balance;
    private MemoryChannel channel;
    private long result;

    @Setup
    public void write() {
        balance = ReleaseBalance.start();
        try (RecordBatch batch = data.build(rows)) {
            channel = IpcStreams.written(batch, batches, IpcStreams.options(compression));
        }
    }

    @TearDown
    public void check() {
        balance.verify();
        Outcome.require((long) rows * batches, result);
    }

    @Benchmark
    public long fromChannel() {
        channel.rewind();
        return result = rows(ArrowStreamReader.open(channel));
    }

    /** The batches are ranges of the bytes. */
    @Benchmark
    public long inPlace() {
        channel.rewind();
        return result = rows(ArrowStreamReader.open(channel.bytes()));
    }

    static void requireRows(ReadableByteChannel channel, long rows) {
        Outcome.require(rows, rows(ArrowStreamReader.open(channel)));
    }

    private static long rows(ArrowStreamReader reader) {
        long rows = 0;
        try (reader) {
            while (true) {
                try (RecordBatch batch = reader.nextBatch()) {
                    if (batch == null) {
                        return rows;
                    }
                    rows += batch.getRowCount();
                }
            }
        }
    }
}
