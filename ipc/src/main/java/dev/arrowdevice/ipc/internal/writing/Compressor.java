package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.IpcCodec;
import dev.arrowdevice.ipc.IpcCompression;
import dev.arrowdevice.ipc.internal.codec.Codecs;
import dev.arrowdevice.spi.HostMemory;

/** Compresses buffers: the size before, then the frame, or -1 and the bytes as they are where a frame is no smaller. */
final class Compressor {
    private static final int SIZE_BYTES = 8;
    private static final long NOT_COMPRESSED = -1;

    private final IpcCodec codec;

    Compressor(IpcCompression compression) {
        this.codec = Codecs.find(compression);
    }

    /** Puts the compressed buffers in place of the others. */
    void compress(FlatBatch batch) {
        for (int i = 0; i < batch.buffers(); i++) {
            if (batch.byteSize(i) > 0) {
                compress(batch, i);
            }
        }
    }

    private void compress(FlatBatch batch, int index) {
        HostMemory memory = batch.memory(index);
        long begin = batch.begin(index);
        long size = batch.byteSize(index);
        long limit = size <= Integer.MAX_VALUE ? codec.maxCompressedSize((int) size) : Long.MAX_VALUE;
        if (limit <= Integer.MAX_VALUE) {
            HostMemory target = batch.scratch.allocate(SIZE_BYTES + limit);
            int written = codec.compress(memory.asByteBuffer(begin, size), target.asByteBuffer(SIZE_BYTES, limit));
            if (written < size) {
                target.putLong(0, size);
                batch.replace(index, target, 0, SIZE_BYTES + written);
                return;
            }
        }
        HostMemory target = batch.scratch.allocate(SIZE_BYTES + size);
        target.putLong(0, NOT_COMPRESSED);
        memory.copyTo(begin, target, SIZE_BYTES, size);
        batch.replace(index, target, 0, SIZE_BYTES + size);
    }
}
