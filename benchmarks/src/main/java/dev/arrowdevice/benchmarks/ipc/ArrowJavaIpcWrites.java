package dev.arrowdevice.benchmarks.ipc;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.ipc.IpcWriteOptions;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link IpcWrites} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaIpcWrites {
    @Param("COLUMNS")
    public IpcData data;

    /** Of a batch. */
    @Param("10")
    public int rows;

    @Param("1")
    public int batches;

    private BufferAllocator allocator;
    private ArrowStreamReader reader;
    private MemoryChannel channel;

    /** The rows come to Arrow Java as a stream. */
    @Setup
    public void build() throws IOException {
        allocator = new RootAllocator();
        try (RecordBatch batch = data.build(rows)) {
            reader = new ArrowStreamReader(IpcStreams.written(batch, 1, IpcWriteOptions.defaults()), allocator);
            reader.loadNextBatch();
            channel = IpcStreams.channelFor(batch, batches);
        }
    }

    @TearDown
    public void check() throws IOException {
        channel.flip();
        IpcReads.requireRows(channel, (long) rows * batches);
        reader.close();
        allocator.close();
    }

    @Benchmark
    public int toChannel() throws IOException {
        channel.clear();
        try (ArrowStreamWriter writer = new ArrowStreamWriter(reader.getVectorSchemaRoot(), reader, channel)) {
            writer.start();
            for (int i = 0; i < batches; i++) {
                writer.writeBatch();
            }
            writer.end();
        }
        return channel.position();
    }
}
