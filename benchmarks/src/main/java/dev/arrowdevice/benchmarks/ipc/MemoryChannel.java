package dev.arrowdevice.benchmarks.ipc;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Memory as a channel: one copy, and no call of the system, which takes longer than most of what is measured. It does not
 * close.
 */
final class MemoryChannel implements ReadableByteChannel, WritableByteChannel {
    private final ByteBuffer bytes;

    MemoryChannel(int capacity) {
        bytes = ByteBuffer.allocateDirect(capacity);
    }

    /** Forgets what was written. */
    void clear() {
        bytes.clear();
    }

    /** What was written is read, from the beginning. */
    void flip() {
        bytes.flip();
    }

    /** What was read is read again. */
    void rewind() {
        bytes.rewind();
    }

    /** How many bytes were written, or read. */
    int position() {
        return bytes.position();
    }

    /** The bytes themselves, between position and limit. */
    ByteBuffer bytes() {
        return bytes.duplicate();
    }

    @Override
    public int read(ByteBuffer target) {
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(target.remaining(), bytes.remaining());
        int limit = bytes.limit();
        bytes.limit(bytes.position() + count);
        target.put(bytes);
        bytes.limit(limit);
        return count;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = source.remaining();
        bytes.put(source);
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
