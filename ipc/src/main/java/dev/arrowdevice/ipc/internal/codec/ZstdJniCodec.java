package dev.arrowdevice.ipc.internal.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.arrowdevice.ipc.IpcCodec;
import dev.arrowdevice.ipc.IpcCompression;
import java.nio.ByteBuffer;

/** Zstandard by zstd-jni, which has the original library for most platforms. */
final class ZstdJniCodec implements IpcCodec {
    /** As Arrow C++ has it. */
    private static final int LEVEL = 1;

    @Override
    public IpcCompression getCompression() {
        return IpcCompression.ZSTD;
    }

    @Override
    public long maxCompressedSize(int byteSize) {
        return Zstd.compressBound(byteSize);
    }

    @Override
    public int compress(ByteBuffer source, ByteBuffer target) {
        try {
            return Math.toIntExact(Zstd.compressDirectByteBuffer(
                    target,
                    target.position(),
                    target.remaining(),
                    source,
                    source.position(),
                    source.remaining(),
                    LEVEL));
        } catch (ZstdException e) {
            throw new IllegalStateException("ZSTD: " + e.getMessage(), e);
        }
    }

    @Override
    public void decompress(ByteBuffer source, ByteBuffer target) {
        long size;
        try {
            size = Zstd.decompressDirectByteBuffer(
                    target, target.position(), target.remaining(), source, source.position(), source.remaining());
        } catch (ZstdException e) {
            throw new IllegalArgumentException("the ZSTD frame is damaged: " + e.getMessage(), e);
        }
        if (Zstd.isError(size)) {
            throw new IllegalArgumentException("the ZSTD frame is damaged: " + Zstd.getErrorName(size));
        }
        if (size != target.remaining()) {
            throw new IllegalArgumentException("the ZSTD frame has " + size + " bytes, not the " + target.remaining()
                    + " that it is said to have");
        }
    }
}
