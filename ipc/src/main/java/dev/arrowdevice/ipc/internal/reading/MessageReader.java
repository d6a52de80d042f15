package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.ipc.ArrowIpcException;
import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.ipc.internal.format.MessageMetadata;
import dev.arrowdevice.spi.DeviceBuffer;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.flatbuf.Message;
import org.jspecify.annotations.Nullable;

/** Cuts bytes into messages: "a continuation", the size of the metadata, the metadata, the body. */
final class MessageReader implements AutoCloseable {
    private static final int CONTINUATION = 0xFFFFFFFF;
    private static final int PREFIX = 4;
    /** What is allocated at once because a message claims to have so much metadata. */
    private static final int TRUSTED_SIZE = 1 << 20;
    /** Metadata up to this size is read into memory that the next message uses again. */
    private static final int REUSED_SIZE = 1 << 16;

    private final ByteSource source;
    private final IpcReadOptions options;
    /** The continuation and the size of the metadata. */
    private final ByteBuffer prefix = ByteBuffer.allocate(2 * PREFIX).order(ByteOrder.LITTLE_ENDIAN);

    /** Whether the messages so far had a continuation: then the next one has it too, and both are read at once. */
    private boolean continued;

    private ByteBuffer reused = ByteBuffer.allocate(0);

    MessageReader(ByteSource source, IpcReadOptions options) {
        this.source = source;
        this.options = options;
    }

    /** The number of bytes that were read so far. */
    long position() {
        return source.position();
    }

    /**
     * The next message, which the caller closes. Null after the end-of-stream marker, and where the bytes end between two
     * messages. The metadata of a record batch is valid until the next call.
     */
    @Nullable
    IpcMessage next() {
        long start = source.position();
        ((Buffer) prefix).clear(); // Android 13 has it in Buffer alone; the same below.
        fillPrefix(continued ? 2 * PREFIX : PREFIX);
        if (prefix.position() == 0) {
            if (options.getEndRequired()) {
                throw new ArrowIpcException(
                        start, "the bytes end without the end-of-stream marker, so the stream may have been cut off");
            }
            return null;
        }
        requireWhole(prefix.position() >= PREFIX, start, "the prefix of a message");
        int size = prefix.getInt(0);
        if (size == CONTINUATION) {
            fillPrefix(2 * PREFIX);
            requireWhole(prefix.position() == 2 * PREFIX, start, "the prefix of a message");
            size = prefix.getInt(PREFIX);
            continued = true;
            ((Buffer) prefix).limit(0);
        } else {
            if (start == 0) {
                refuseOtherFormats();
            }
            // Before 0.15 there was no continuation.
            ((Buffer) prefix).flip();
            ((Buffer) prefix).position(PREFIX);
        }
        if (size == 0) {
            return null;
        }
        ByteBuffer metadata = metadata(start, size);
        Message message = MessageMetadata.parse(start, metadata, metadata == reused);
        return new IpcMessage(start, message, body(start, message.bodyLength()), size);
    }

    private void fillPrefix(int size) {
        ((Buffer) prefix).limit(size);
        if (prefix.hasRemaining()) {
            source.read(prefix);
        }
    }

    /** No metadata is so large as the first letters of a text say. */
    private void refuseOtherFormats() {
        String format = OtherFormat.of(Arrays.copyOf(prefix.array(), PREFIX));
        if (format != null) {
            throw new ArrowIpcException(0, "this is no Arrow stream, but " + format);
        }
    }

    private ByteBuffer metadata(long start, int size) {
        if (size < 0 || size > options.getMaxMetadataBytes()) {
            throw new ArrowIpcException(
                    start,
                    "the metadata of the message is said to have " + (size & 0xFFFFFFFFL) + " bytes, the limit is "
                            + options.getMaxMetadataBytes());
        }
        requireWhole(size - prefix.remaining() <= source.remaining(), start, "the metadata of a message");
        ByteBuffer metadata = room(size);
        while (prefix.hasRemaining() && metadata.hasRemaining()) {
            metadata.put(prefix.get()); // Behind messages with a continuation, one without it: its metadata has begun.
        }
        while (true) {
            source.read(metadata);
            requireWhole(!metadata.hasRemaining(), start, "the metadata of a message");
            if (metadata.position() == size) {
                ((Buffer) metadata).flip();
                return metadata;
            }
            byte[] more = Arrays.copyOf(metadata.array(), (int) Math.min(size, 2L * metadata.capacity()));
            ByteBuffer larger = ByteBuffer.wrap(more);
            ((Buffer) larger).position(metadata.position());
            metadata = larger;
        }
    }

    /** Room for metadata of a size, or for its beginning. */
    private ByteBuffer room(int size) {
        if (size > REUSED_SIZE) {
            return ByteBuffer.allocate(Math.min(size, TRUSTED_SIZE));
        }
        if (size > reused.capacity()) {
            reused = ByteBuffer.allocate(size);
        }
        ((Buffer) reused).clear();
        ((Buffer) reused).limit(size);
        return reused;
    }

    private DeviceBuffer body(long start, long size) {
        requireSize(start, size, options);
        requireWhole(size <= source.remaining(), start, "the body of a message");
        DeviceBuffer body = source.body(size);
        requireWhole(body != null, start, "the body of a message");
        return body;
    }

    /** Refuses a body beyond the limit, before memory is taken for it. */
    static void requireSize(long start, long bodySize, IpcReadOptions options) {
        if (bodySize > options.getMaxBatchBytes()) {
            throw new ArrowIpcException(
                    start,
                    "the body of the message is said to have " + bodySize + " bytes, the limit is "
                            + options.getMaxBatchBytes() + " (IpcReadOptions.withMaxBatchBytes)");
        }
    }

    private void requireWhole(boolean whole, long start, String part) {
        if (!whole) {
            throw new ArrowIpcException(start, "the bytes end within " + part);
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
