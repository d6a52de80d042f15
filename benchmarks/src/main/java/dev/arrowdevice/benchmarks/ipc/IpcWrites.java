package dev.arrowdevice.benchmarks.ipc;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.ipc.IpcWriteOptions;
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

/** A stream that is written to a channel, from the schema to the end. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class IpcWrites {
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
    private RecordBatch batch;
    private IpcWriteOptions options;
    private MemoryChannel channel;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        batch = data.build(rows);
        options = IpcStreams.options(compression);
        channel = IpcStreams.channelFor(batch, batches);
    }

    @TearDown
    public void check() {
        channel.flip();
        IpcReads.requireRows(channel, (long) rows * batches);
        batch.close();
        balance.verify();
    }

    @Benchmark
    public int toChannel() {
        channel.clear();
        IpcStreams.write(batch, batches, options, channel);
        return channel.position();
    }
}
