package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.nio.ByteBuffer;

/** Keeps a direct byte buffer and its memory as long as there are references. */
public final class BufferOwner extends ReferenceCounted {
    private final ByteBuffer buffer;
    private final Runnable release;

    /** Owns the buffer. {@code release} runs with the last release. */
    public BufferOwner(ByteBuffer buffer, Runnable release) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(
                    "a buffer on the heap can't be an array's memory: it has no address; copy it to a direct one");
        }
        this.buffer = buffer;
        this.release = release;
    }

    /** The bytes from the buffer's position to its limit. */
    public HostMemory memory() {
        return Platform.HAS_FOREIGN_MEMORY ? SegmentMemory.ofBuffer(buffer) : new ByteBufferMemory(buffer.slice());
    }

    @Override
    protected void free() {
        LateFailures.reporting(release);
    }
}
