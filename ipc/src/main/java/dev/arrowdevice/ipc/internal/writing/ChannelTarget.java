package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;

/** A channel to which small pieces go together, and large ones as they lie. */
final class ChannelTarget {
    private static final int STAGING = 1 << 16;
    /** From this size on, bytes go to the channel without a copy. */
    private static final int LARGE = 1 << 14;
    /** At least as much as is zeroed for padding. */
    private static final int MAX_PADDING = 64;
    /** The most bytes that one call writes. */
    private static final int MAX_WRITE = 1 << 26;

    private final WritableByteChannel channel;
    private final DeviceBuffer buffer;
    private final HostMemory staging;
    /** The same memory, for the channel. */
    private final ByteBuffer view;
    /** How many bytes of it wait to be written. */
    private int staged;

    /** The bytes that were written so far, staged ones included. */
    private long written;
    /** Those that the channel has: any thread may ask for it. A volatile write for each piece would take longer than small pieces. */
    private volatile long sent;

    ChannelTarget(WritableByteChannel channel) {
        requireBlocking(channel);
        this.channel = channel;
        this.buffer = CpuRuntime.INSTANCE.allocate(STAGING);
        this.staging = buffer.memory();
        this.view = staging.asByteBuffer(0, STAGING).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The number of bytes that were written so far, for the thread that writes. */
    long position() {
        return written;
    }

    /** The number of bytes that the channel has got so far, for any thread. */
    long sent() {
        return sent;
    }

    /** Writes bytes that are in an array. */
    void write(byte[] bytes, int from, int count) {
        for (int done = 0; done < count; ) {
            if (staged == STAGING) {
                flush();
            }
            int part = Math.min(STAGING - staged, count - done);
            staging.put(staged, bytes, from + done, part);
            staged += part;
            done += part;
        }
        written += count;
    }

    /** Writes an integer, the lowest byte first. */
    void writeInt(int value) {
        require(4);
        view.putInt(staged, value);
        staged += 4;
        written += 4;
    }

    void write(HostMemory memory, long offset, long byteSize) {
        if (byteSize < LARGE) {
            if (byteSize > 0) {
                require((int) byteSize);
                memory.copyTo(offset, staging, staged, byteSize);
                staged += (int) byteSize;
            }
        } else {
            flush();
            for (long done = 0; done < byteSize; done += MAX_WRITE) {
                long part = Math.min(MAX_WRITE, byteSize - done);
                writeAll(memory.asByteBuffer(offset + done, part));
                sent += part;
            }
        }
        written += byteSize;
    }

    /** Writes up to 63 zeros. */
    void pad(int count) {
        require(MAX_PADDING);
        for (int i = 0; i < count; i += 8) {
            view.putLong(staged + i, 0);
        }
        staged += count;
        written += count;
    }

    private void require(int count) {
        if (STAGING - staged < count) {
            flush();
        }
    }

    /** Writes what waits to be written. */
    void flush() {
        ((Buffer) view).limit(staged); // Android 13 has it in Buffer alone.
        writeAll(view);
        ((Buffer) view).clear();
        sent += staged;
        staged = 0;
    }

    private static void requireBlocking(WritableByteChannel channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalArgumentException("the channel does not block; configureBlocking(true) makes it");
        }
    }

    private void writeAll(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) == 0) {
                    requireBlocking(channel);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the channel. To be called once. */
    void close() {
        buffer.getOwner().release();
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
