package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.spi.DeviceBuffer;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Bytes that are in memory already. Bodies are ranges of it, which keep its owner alive; they are copied only if they are not
 * aligned, or if the options ask for memory of another device.
 */
final class MemorySource implements ByteSource {
    private final DeviceBuffer bytes;
    private final long base;
    private final BodyMemory memory;
    private long done;
    private boolean closed;

    /**
     * Takes over one reference to the bytes' owner.
     *
     * @param base the position of the first byte in the stream or file
     */
    MemorySource(DeviceBuffer bytes, long base, BodyMemory memory) {
        this.bytes = bytes;
        this.base = base;
        this.memory = memory;
    }

    @Override
    public long position() {
        return base + done;
    }

    @Override
    public long remaining() {
        return bytes.getByteSize() - done;
    }

    @Override
    public void read(ByteBuffer target) {
        int size = (int) Math.min(target.remaining(), remaining());
        bytes.memory().get(done, target.array(), target.arrayOffset() + target.position(), size);
        ((Buffer) target).position(target.position() + size); // Android 13 has it in Buffer alone.
        done += size;
    }

    @Override
    public DeviceBuffer body(long byteSize) {
        DeviceBuffer range = bytes.slice(done, byteSize);
        done += byteSize;
        if (memory.isStaged() || !Alignment.isAligned(range)) {
            DeviceBuffer copy = memory.allocate(byteSize);
            try {
                range.memory().copyTo(0, copy.memory(), 0, byteSize);
            } catch (Throwable e) { // Such as the InternalError of a file that was cut off while it is mapped.
                copy.getOwner().release();
                throw e;
            }
            return copy;
        }
        range.getOwner().retain();
        return range;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            bytes.getOwner().release();
        }
    }
}
