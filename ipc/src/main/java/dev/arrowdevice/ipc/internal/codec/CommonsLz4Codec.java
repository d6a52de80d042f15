package dev.arrowdevice.ipc.internal.codec;

import dev.arrowdevice.ipc.IpcCodec;
import dev.arrowdevice.ipc.IpcCompression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/** LZ4 frames, which Commons Compress reads: it is written in Java alone, and reads frames of linked blocks. */
final class CommonsLz4Codec implements IpcCodec {
    private static final int CHUNK = 1 << 16;

    @Override
    public IpcCompression getCompression() {
        return IpcCompression.LZ4_FRAME;
    }

    @Override
    public long maxCompressedSize(int byteSize) {
        return Lz4Frame.maxSize(byteSize);
    }

    @Override
    public int compress(ByteBuffer source, ByteBuffer target) {
        return Lz4Frame.encode(source, target);
    }

    @Override
    public void decompress(ByteBuffer source, ByteBuffer target) {
        ByteBuffer to = target.duplicate();
        try (InputStream frame = new FramedLZ4CompressorInputStream(new BufferInput(source.duplicate()))) {
            byte[] chunk = new byte[Math.min(CHUNK, to.remaining() + 1)];
            for (int count = frame.read(chunk); count >= 0; count = frame.read(chunk)) {
                if (count > to.remaining()) {
                    throw new IllegalArgumentException(
                            "the LZ4 frame has more than the " + target.remaining() + " bytes that it is said to have");
                }
                to.put(chunk, 0, count);
            }
        } catch (IOException | RuntimeException e) {
            if (e instanceof IllegalArgumentException ours) {
                throw ours;
            }
            throw new IllegalArgumentException("the LZ4 frame is damaged: " + e.getMessage(), e);
        }
        if (to.hasRemaining()) {
            throw new IllegalArgumentException("the LZ4 frame has " + (target.remaining() - to.remaining())
                    + " bytes, not the " + target.remaining() + " that it is said to have");
        }
    }

    private static final class BufferInput extends InputStream {
        private final ByteBuffer buffer;

        BufferInput(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public int read() {
            return buffer.hasRemaining() ? buffer.get() & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int from, int count) {
            if (count == 0) {
                return 0;
            }
            if (!buffer.hasRemaining()) {
                return -1;
            }
            int size = Math.min(count, buffer.remaining());
            buffer.get(target, from, size);
            return size;
        }

        @Override
        public int available() {
            return buffer.remaining();
        }
    }
}
