package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.ipc.IpcCompression;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * What a message says of a batch: its rows, the length and nulls of each array, and where its buffers are in the body. The
 * places are checked against the body. To be used within {@link Guard}, by one thread.
 */
public final class BatchHeader {
    private final long rows;
    private final boolean unionsHaveValidity;
    private final @Nullable IpcCompression compression;
    // FlatBuffers looks for the place of a vector with each call, so that is done once.
    private final FieldNode.@Nullable Vector nodes;
    private final Buffer.@Nullable Vector buffers;
    private final RecordBatch batch;
    private final int nodeCount;
    private final int bufferCount;
    private final int variadicCount;
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();

    private BatchHeader(long position, Message message, @Nullable RecordBatch batch) {
        this.batch = Guard.require(batch, "header");
        this.unionsHaveValidity = message.version() == MetadataVersion.V4;
        this.compression = compression(this.batch.compression());
        MessageMetadata.refuseExperimentalCompression(position, message);
        this.rows = this.batch.length();
        this.nodes = this.batch.nodesVector();
        this.nodeCount = nodes == null ? 0 : nodes.length();
        this.buffers = this.batch.buffersVector();
        this.bufferCount = buffers == null ? 0 : buffers.length();
        this.variadicCount = this.batch.variadicBufferCountsLength();
        if (rows < 0) {
            throw new IllegalArgumentException("a batch of " + rows + " rows");
        }
    }

    /** The header of a record batch. */
    public static BatchHeader ofBatch(long position, Message message) {
        return new BatchHeader(position, message, (RecordBatch) message.header(new RecordBatch()));
    }

    /** The header of a dictionary's values. */
    public static BatchHeader ofDictionary(long position, Message message, DictionaryBatch dictionary) {
        return new BatchHeader(position, message, dictionary.data());
    }

    private static @Nullable IpcCompression compression(@Nullable BodyCompression compression) {
        if (compression == null) {
            return null;
        }
        if (compression.method() != BodyCompressionMethod.BUFFER) {
            throw new IllegalArgumentException("a compression of method " + compression.method() + " is unknown");
        }
        return switch (compression.codec()) {
            case CompressionType.LZ4_FRAME -> IpcCompression.LZ4_FRAME;
            case CompressionType.ZSTD -> IpcCompression.ZSTD;
            default ->
                throw new IllegalArgumentException("a compression of codec " + compression.codec() + " is unknown");
        };
    }

    /** The number of rows. */
    public long rows() {
        return rows;
    }

    /** How the buffers are compressed, null if they are not. */
    public @Nullable IpcCompression compression() {
        return compression;
    }

    /** Whether unions have a validity bitmap, as in metadata of version V4. */
    public boolean unionsHaveValidity() {
        return unionsHaveValidity;
    }

    /** The number of arrays. */
    public int nodes() {
        return nodeCount;
    }

    /** The length of an array. */
    public long nodeLength(int index) {
        long length = node(index).length();
        if (length < 0) {
            throw new IllegalArgumentException("an array of length " + length);
        }
        return length;
    }

    /** The null count of an array. */
    public long nodeNulls(int index) {
        long nulls = node(index).nullCount();
        if (nulls < 0) {
            throw new IllegalArgumentException("a null count of " + nulls);
        }
        return nulls;
    }

    private FieldNode node(int index) {
        if (nodes == null || index >= nodeCount) {
            throw new IllegalArgumentException("the message has " + nodeCount + " arrays, fewer than the schema needs");
        }
        return nodes.get(node, index);
    }

    /** The number of view arrays with data buffers of their own number. */
    public int variadicCounts() {
        return variadicCount;
    }

    /** The number of data buffers of a view array. */
    public int variadicCount(int index) {
        if (index >= variadicCount) {
            throw new IllegalArgumentException(
                    "the message has " + variadicCount + " counts of data buffers, fewer than the schema has views");
        }
        long count = batch.variadicBufferCounts(index);
        if (count < 0 || count > bufferCount) {
            throw new IllegalArgumentException(
                    "a view array of " + count + " data buffers; the message has " + bufferCount + " buffers");
        }
        return (int) count;
    }

    /** The number of buffers. */
    public int buffers() {
        return bufferCount;
    }

    /**
     * Where the buffers are: offset and size of each, in turn. They lie in the body one after the other, at multiples of 8
     * bytes.
     *
     * @param metadataSize the size of the message's metadata: it can't have more buffers than fit
     */
    public long[] places(long bodySize, int metadataSize) {
        int count = bufferCount;
        if (count < 0 || count > metadataSize / 16) {
            throw new IllegalArgumentException(count + " buffers in metadata of " + metadataSize + " bytes");
        }
        long[] places = new long[2 * count];
        long end = 0;
        for (int i = 0; i < count && buffers != null; i++) {
            buffers.get(buffer, i);
            long offset = buffer.offset();
            long size = buffer.length();
            if (offset < 0 || size < 0 || size > bodySize - offset) {
                throw new IllegalArgumentException("buffer " + i + " has " + size + " bytes at offset " + offset
                        + " of a body of " + bodySize + " bytes");
            }
            if (size == 0) {
                continue; // Where a buffer without bytes is said to be does not matter, and writers differ.
            }
            if (offset % 8 != 0) {
                throw new IllegalArgumentException(
                        "buffer " + i + " is at offset " + offset + " of the body, which is no multiple of 8");
            }
            if (offset < end) {
                throw new IllegalArgumentException("buffer " + i + " is at offset " + offset
                        + " of the body, where the one before it reaches to " + end);
            }
            end = offset + size;
            places[2 * i] = offset;
            places[2 * i + 1] = size;
        }
        return places;
    }
}
