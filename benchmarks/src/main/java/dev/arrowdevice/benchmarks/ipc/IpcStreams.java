package dev.arrowdevice.benchmarks.ipc;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.ipc.ArrowStreamWriter;
import dev.arrowdevice.ipc.IpcCompression;
import dev.arrowdevice.ipc.IpcWriteOptions;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Streams in memory. */
final class IpcStreams {
    /** In place of a compression. */
    static final String NOT_COMPRESSED = "NONE";

    private IpcStreams() {}

    static IpcWriteOptions options(String compression) {
        return IpcWriteOptions.defaults()
                .withCompression(compression.equals(NOT_COMPRESSED) ? null : IpcCompression.valueOf(compression));
    }

    /** Writes a stream of {@code batches} batches, each the same one. */
    static void write(RecordBatch batch, int batches, IpcWriteOptions options, WritableByteChannel channel) {
        try (ArrowStreamWriter writer = ArrowStreamWriter.open(channel, batch.getSchema(), options)) {
            for (int i = 0; i < batches; i++) {
                writer.write(batch);
            }
            writer.finish();
        }
    }

    /** A channel with room for such a stream, also if another library writes it. */
    static MemoryChannel channelFor(RecordBatch batch, int batches) {
        Counting counting = new Counting();
        write(batch, 1, IpcWriteOptions.defaults(), counting);
        return new MemoryChannel(Math.toIntExact((counting.count * 5 / 4 + 4096) * batches + 65_536));
    }

    /** A channel from which such a stream is read. */
    static MemoryChannel written(RecordBatch batch, int batches, IpcWriteOptions options) {
        MemoryChannel channel = channelFor(batch, batches);
        write(batch, batches, options, channel);
        channel.flip();
        return channel;
    }

    private static final class Counting implements WritableByteChannel {
        private long count;

        @Override
        public int write(ByteBuffer source) {
            int size = source.remaining();
            source.position(source.limit());
            count += size;
            return size;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
