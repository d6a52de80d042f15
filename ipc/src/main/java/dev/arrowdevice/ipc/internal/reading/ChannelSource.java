package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.Diagnostics;
import dev.arrowdevice.spi.HostMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/** The bytes of a channel. Reads no byte more than it is asked for. */
final class ChannelSource implements ByteSource {
    /**
     * The most bytes that are allocated because a message claims to have a body. A larger body gets its memory when this many
     * bytes have come.
     */
    private static final long TRUSTED_SIZE = 1L << 26;
    /** The most bytes that one call reads, so that a call can be interrupted in between. */
    private static final int MAX_READ = 1 << 26;

    private final ReadableByteChannel channel;
    private final BodyMemory memory;
    private long position;

    ChannelSource(ReadableByteChannel channel, BodyMemory memory) {
        this.channel = channel;
        this.memory = memory;
    }

    private static void requireBlocking(ReadableByteChannel channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalArgumentException("the channel does not block; configureBlocking(true) makes it");
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long remaining() {
        return Long.MAX_VALUE;
    }

    @Override
    public void read(ByteBuffer target) {
        fill(target);
    }

    @Override
    public @Nullable DeviceBuffer body(long byteSize) {
        DeviceBuffer buffer = memory.allocate(Math.min(byteSize, TRUSTED_SIZE));
        try {
            long done = fill(buffer.memory(), 0, buffer.getByteSize());
            if (done == TRUSTED_SIZE && byteSize > TRUSTED_SIZE) {
                DeviceBuffer whole = memory.allocate(byteSize);
                buffer.memory().copyTo(0, whole.memory(), 0, done);
                buffer.getOwner().release();
                buffer = whole;
                done += fill(buffer.memory(), done, byteSize - done);
            }
            if (done == byteSize) {
                return buffer;
            }
        } catch (Throwable e) {
            buffer.getOwner().release();
            throw e;
        }
        buffer.getOwner().release();
        return null;
    }

    private long fill(HostMemory target, long from, long count) {
        long done = 0;
        while (done < count) {
            ByteBuffer buffer = target.asByteBuffer(from + done, Math.min(count - done, MAX_READ));
            int size = buffer.remaining();
            fill(buffer);
            done += size - buffer.remaining();
            if (buffer.hasRemaining()) {
                break;
            }
        }
        return done;
    }

    /** Fills a buffer, except at the end of the channel. */
    private void fill(ByteBuffer buffer) {
        try {
            while (buffer.hasRemaining()) {
                if (position == 0) {
                    requireBlocking(channel);
                }
                int read = channel.read(buffer);
                if (read < 0) {
                    return;
                }
                if (read == 0) {
                    requireBlocking(channel);
                }
                position += read;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            Diagnostics.lateFailure(e);
        }
    }
}
