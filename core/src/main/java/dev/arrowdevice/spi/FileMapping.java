package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.memory.SegmentMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file as CPU memory, read-only. The operating system reads a page when it is used first. A write to the memory ends the
 * process, or throws; so does a read behind the end of a file that was cut off after it was opened.
 *
 * <p>From Java 22 on the whole file is mapped once, and unmapped when the mapping and all ranges are released. Before, each
 * range is mapped by itself, below 2 GiB, and the garbage collector unmaps it. All methods may be called from any thread.
 */
public final class FileMapping implements AutoCloseable {
    private final FileChannel file;
    private final long byteSize;
    private final @Nullable DeviceBuffer whole;
    private boolean closed;

    private FileMapping(FileChannel file) throws IOException {
        this.file = file;
        this.byteSize = file.size();
        this.whole = Platform.HAS_FOREIGN_MEMORY ? SegmentMemory.map(file, byteSize) : null;
    }

    /**
     * Opens a file. The caller closes the mapping.
     *
     * @throws IOException if the file can't be opened or mapped
     */
    public static FileMapping open(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new FileMapping(file);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    /** The size of the file in bytes, when it was opened. */
    public long getByteSize() {
        return byteSize;
    }

    /**
     * A range of the file. The caller has one reference to the result's {@linkplain DeviceBuffer#getOwner owner}, which
     * keeps the memory also after {@link #close}.
     *
     * @throws IndexOutOfBoundsException if the range is not within the file
     * @throws IOException if it can't be mapped, on Java before 22 also if it has 2 GiB or more
     * @throws IllegalStateException after {@link #close}
     */
    public synchronized DeviceBuffer range(long offset, long rangeSize) throws IOException {
        requireRange(offset, rangeSize);
        if (whole != null) {
            whole.getOwner().retain();
            return whole.slice(offset, rangeSize);
        }
        if (rangeSize > Integer.MAX_VALUE) {
            throw new IOException(
                    rangeSize + " bytes of a file: on Java before 22, less than 2 GiB can be mapped at once");
        }
        return DeviceBuffer.ofByteBuffer(file.map(FileChannel.MapMode.READ_ONLY, offset, rangeSize), () -> {});
    }

    private void requireRange(long offset, long rangeSize) {
        if (closed) {
            throw new IllegalStateException("range: the file has been closed");
        }
        if ((offset | rangeSize) < 0 || offset > byteSize - rangeSize) {
            throw new IndexOutOfBoundsException(
                    rangeSize + " bytes at offset " + offset + " of a file of " + byteSize + " bytes");
        }
    }

    /**
     * Copies a few bytes of the file, for which nothing is mapped that is not mapped already.
     *
     * @throws IndexOutOfBoundsException if the range is not within the file
     * @throws IOException if they can't be read
     * @throws IllegalStateException after {@link #close}
     */
    public synchronized void get(long offset, byte[] target) throws IOException {
        if (whole != null || target.length == 0) {
            DeviceBuffer range = range(offset, target.length);
            try {
                range.memory().get(0, target, 0, target.length);
            } finally {
                range.getOwner().release();
            }
            return;
        }
        requireRange(offset, target.length);
        ByteBuffer bytes = ByteBuffer.wrap(target);
        while (bytes.hasRemaining()) {
            int done = target.length - bytes.remaining();
            if (file.read(bytes, offset + done) < 0) {
                throw new IOException("the file was cut off after it was opened");
            }
        }
    }

    /** Closes the file. Ranges stay valid until they are released. Idempotent. */
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            if (whole != null) {
                whole.getOwner().release();
            }
            file.close();
        }
    }
}
