package dev.arrowdevice.ipc.internal.format;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.IpcCompression;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of messages with a record batch. It differs only in its numbers while batches have as many arrays and buffers, so
 * FlatBuffers builds it once, of marks. Where a mark is, the number of each batch is put.
 */
public final class BatchTemplate {
    private static final long ROWS = 0x6B1D_93E5_2FA7_C481L;
    private static final long BODY = 0x71C8_0E5B_A64D_39F2L;
    private static final long NODES = 0x4FE2_B786_1D09_5AC3L;
    private static final long BUFFERS = 0x58A3_6C1F_E794_02DBL;

    private final ByteBuffer bytes;
    private final int rowsAt;
    private final int bodyAt;
    private final LongBuffer nodes;
    private final LongBuffer buffers;

    private BatchTemplate(byte[] bytes, int nodes, int buffers) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.rowsAt = find(ROWS);
        this.bodyAt = find(BODY);
        this.nodes = numbers(NODES, nodes);
        this.buffers = numbers(BUFFERS, buffers);
    }

    /** The metadata of batches with as many numbers, and no view arrays. */
    public static BatchTemplate of(Longs nodes, Longs buffers, @Nullable IpcCompression compression) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        MessageEncoder.batch(
                builder,
                ROWS,
                Longs.repeat(NODES, nodes.size()),
                Longs.repeat(BUFFERS, buffers.size()),
                new Longs(),
                compression,
                BODY,
                Metadata.EMPTY);
        return new BatchTemplate(builder.sizedByteArray(), nodes.size(), buffers.size());
    }

    private int find(long mark) {
        for (int at = 0; at + Long.BYTES <= bytes.limit(); at++) {
            if (bytes.getLong(at) == mark) {
                return at;
            }
        }
        throw new AssertionError("FlatBuffers writes each number as it is");
    }

    private LongBuffer numbers(long mark, int count) {
        int begin = count == 0 ? 0 : find(mark);
        ByteBuffer vector = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        ((Buffer) vector).position(begin).limit(begin + count * Long.BYTES); // Android 13 has it in Buffer alone.
        return vector.asLongBuffer();
    }

    /** Whether a batch has as many numbers. */
    public boolean fits(Longs ofNodes, Longs ofBuffers) {
        return ofNodes.size() == nodes.capacity() && ofBuffers.size() == buffers.capacity();
    }

    /** The metadata of a batch, valid until the next call. */
    public ByteBuffer fill(long rows, Longs ofNodes, Longs ofBuffers, long bodySize) {
        bytes.putLong(rowsAt, rows);
        bytes.putLong(bodyAt, bodySize);
        ofNodes.copyTo(nodes);
        ofBuffers.copyTo(buffers);
        return bytes;
    }
}
