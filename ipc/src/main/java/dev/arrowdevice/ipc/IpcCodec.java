package dev.arrowdevice.ipc;

import java.nio.ByteBuffer;

/**
 * Compresses and decompresses single buffers. The module has one implementation for each {@link IpcCompression}, over an
 * optional library. One that {@link java.util.ServiceLoader} finds is used in its place. Implementations must be thread-safe.
 */
public interface IpcCodec {
    /** What it compresses to. */
    IpcCompression getCompression();

    /**
     * The size in bytes that {@link #compress} may need at most.
     *
     * @param byteSize the size before, from 1
     */
    long maxCompressedSize(int byteSize);

    /**
     * Compresses all of a buffer into another one.
     *
     * @param source a direct buffer, whose position need not change
     * @param target a direct buffer of {@link #maxCompressedSize} bytes
     * @return the number of bytes that were written from the target's position on
     */
    int compress(ByteBuffer source, ByteBuffer target);

    /**
     * Decompresses all of a buffer into another one, of exactly the size before compression. The source may be damaged or
     * hostile.
     *
     * @param source a direct buffer, whose position need not change
     * @param target a direct buffer
     * @throws IllegalArgumentException if the source is damaged, or does not fill the target exactly
     */
    void decompress(ByteBuffer source, ByteBuffer target);
}
