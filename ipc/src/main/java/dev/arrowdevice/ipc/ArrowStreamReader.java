package dev.arrowdevice.ipc;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.internal.reading.BatchStream;
import dev.arrowdevice.spi.DeviceBuffer;
import java.io.InputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream of Arrow IPC: the schema when it is opened, then a batch at a time.
 *
 * <!-- given static java.nio.channels.ReadableByteChannel channel; -->
 * <pre>{@code
 * import dev.arrowdevice.RecordBatch;
 * import dev.arrowdevice.ipc.ArrowStreamReader;
 *
 * try (ArrowStreamReader reader = ArrowStreamReader.open(channel)) {
 *     while (true) {
 *         try (RecordBatch batch = reader.nextBatch()) {
 *             if (batch == null) {
 *                 break;
 *             }
 *             System.out.println(batch);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>The reader owns what it reads from, and closes it. Batches belong to the caller, and outlive the reader. It reads no byte
 * behind the end-of-stream marker. It is a {@link DeviceArrayStream}, so it can be exported to C, or collected as a flow.
 *
 * <p>Reading fails with an {@link ArrowIpcException} if the bytes are damaged, and with an
 * {@link java.io.UncheckedIOException} if the channel fails.
 */
public final class ArrowStreamReader extends DeviceArrayStream {
    private final BatchStream batches;
    private final Field field;
    private final int deviceType;

    private ArrowStreamReader(BatchStream batches, IpcReadOptions options) {
        this.batches = batches;
        this.field = batches.schema().toStruct();
        this.deviceType = options.getDevice().getDevice().type();
    }

    /** Reads the schema from a channel, which moves to the reader; see {@link #open(ReadableByteChannel, IpcReadOptions)}. */
    public static ArrowStreamReader open(ReadableByteChannel channel) {
        return open(channel, IpcReadOptions.defaults());
    }

    /**
     * Reads the schema from a channel. Bodies are read into memory of the device that the options name.
     *
     * @param channel a blocking channel, which moves to the reader, and is closed if this fails
     */
    public static ArrowStreamReader open(ReadableByteChannel channel, IpcReadOptions options) {
        return new ArrowStreamReader(BatchStream.ofChannel(channel, options), options);
    }

    /** Reads the schema from a stream, which moves to the reader; see {@link #open(InputStream, IpcReadOptions)}. */
    public static ArrowStreamReader open(InputStream stream) {
        return open(stream, IpcReadOptions.defaults());
    }

    /**
     * Reads the schema from a stream of bytes.
     *
     * @param stream moves to the reader, and is closed if this fails
     */
    public static ArrowStreamReader open(InputStream stream, IpcReadOptions options) {
        return open(Channels.newChannel(stream), options);
    }

    /** Reads bytes that are in memory; see {@link #open(ByteBuffer, IpcReadOptions)}. */
    public static ArrowStreamReader open(ByteBuffer bytes) {
        return open(bytes, IpcReadOptions.defaults());
    }

    /**
     * Reads bytes that are in memory, from the buffer's position to its limit. The batches of a direct buffer are ranges of it,
     * without a copy, unless they are not aligned to 8 bytes. The bytes must not change as long as there are batches. Those
     * of a buffer on the heap are copied.
     */
    public static ArrowStreamReader open(ByteBuffer bytes, IpcReadOptions options) {
        if (bytes.isDirect()) {
            return open(DeviceBuffer.ofByteBuffer(bytes.duplicate(), () -> {}), options);
        }
        return open(new HeapChannel(bytes.duplicate()), options);
    }

    /**
     * Reads bytes that are in memory, such as a mapped range of a file, without a copy.
     *
     * @param bytes memory that the host can read; one reference to its owner moves to the reader, and is released if this
     *     fails
     */
    public static ArrowStreamReader open(DeviceBuffer bytes, IpcReadOptions options) {
        return new ArrowStreamReader(BatchStream.ofMemory(bytes, options), options);
    }

    /** The bytes that were read so far. May be asked for by any thread, to show progress. */
    public long getBytesRead() {
        return batches.bytesRead();
    }

    /** The batches that were read so far. May be asked for by any thread, to show progress. */
    public long getBatchesRead() {
        return batches.batchesRead();
    }

    /** The keys and values of the last batch's message. They are not those of the schema. */
    public Metadata getBatchMetadata() {
        return batches.lastMetadata();
    }

    @Override
    public int getDeviceType() {
        return deviceType;
    }

    @Override
    public Field getField() {
        return field;
    }

    @Override
    protected @Nullable DeviceArray pull() {
        return batches.next();
    }

    @Override
    protected void closeSource() {
        batches.close();
    }

    /** The bytes of a buffer on the heap. */
    private static final class HeapChannel implements ReadableByteChannel {
        private final ByteBuffer bytes;

        HeapChannel(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read(ByteBuffer target) {
            if (!bytes.hasRemaining()) {
                return -1;
            }
            int count = Math.min(bytes.remaining(), target.remaining());
            ByteBuffer part = bytes.slice();
            ((Buffer) part).limit(count); // Android 13 has it in Buffer alone.
            target.put(part);
            ((Buffer) bytes).position(bytes.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
