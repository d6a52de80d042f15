package dev.arrowdevice.benchmarks.ipc;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.ipc.IpcWriteOptions;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link IpcReads} does, by Arrow Java, which always copies. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaIpcReads {
    @Param("COLUMNS")
    public IpcData data;

    /** Of a batch. */
    @Param("10")
    public int rows;

    @Param("1")
    public int batches;

    private BufferAllocator allocator;
    private MemoryChannel channel;
    private long result;

    @Setup
    public void write() {
        allocator = new RootAllocator();
        try (RecordBatch batch = data.build(rows)) {
            channel = IpcStreams.written(batch, batches, IpcWriteOptions.defaults());
        }
    }

    @TearDown
    public void check() {
        allocator.close();
        Outcome.require((long) rows * batches, result);
    }

    @Benchmark
    public long fromChannel() throws IOException {
        channel.rewind();
        long rowsRead = 0;
        try (ArrowStreamReader reader = new ArrowStreamReader(channel, allocator)) {
            while (reader.loadNextBatch()) {
                rowsRead += reader.getVectorSchemaRoot().getRowCount();
            }
        }
        return result = rowsRead;
    }
}
