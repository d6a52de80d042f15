package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.Diagnostics;
import dev.arrowdevice.spi.FileMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The bytes of a file: mapped, or in memory already. */
public abstract class FileBytes implements AutoCloseable {
    private FileBytes() {}

    /** The size in bytes. */
    abstract long byteSize();

    /** A range; the caller has one reference to its owner. */
    abstract DeviceBuffer range(long offset, long byteSize);

    /** Copies a few bytes, for which no memory is mapped. */
    abstract void get(long offset, byte[] target);

    /** Releases what the bytes come from; ranges stay valid. Idempotent, never throws. */
    @Override
    public abstract void close();

    /** Maps a file. */
    public static FileBytes map(Path path) {
        FileMapping mapping;
        try {
            mapping = FileMapping.open(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new FileBytes() {
            @Override
            long byteSize() {
                return mapping.getByteSize();
            }

            @Override
            DeviceBuffer range(long offset, long byteSize) {
                try {
                    return mapping.range(offset, byteSize);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            void get(long offset, byte[] target) {
                try {
                    mapping.get(offset, target);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void close() {
                try {
                    mapping.close();
                } catch (IOException e) {
                    Diagnostics.lateFailure(e);
                }
            }
        };
    }

    /** Bytes in memory. Takes over one reference to their owner. */
    public static FileBytes of(DeviceBuffer bytes) {
        return new FileBytes() {
            private boolean closed;

            @Override
            long byteSize() {
                return bytes.getByteSize();
            }

            @Override
            synchronized DeviceBuffer range(long offset, long byteSize) {
                if (closed) {
                    throw new IllegalStateException("the file has been closed");
                }
                DeviceBuffer range = bytes.slice(offset, byteSize);
                bytes.getOwner().retain();
                return range;
            }

            @Override
            synchronized void get(long offset, byte[] target) {
                DeviceBuffer range = range(offset, target.length);
                try {
                    range.memory().get(0, target, 0, target.length);
                } finally {
                    range.getOwner().release();
                }
            }

            @Override
            public synchronized void close() {
                if (!closed) {
                    closed = true;
                    bytes.getOwner().release();
                }
            }
        };
    }
}
