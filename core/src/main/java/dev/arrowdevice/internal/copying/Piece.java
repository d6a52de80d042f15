package dev.arrowdevice.internal.copying;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** One buffer of a copy: where its bytes come from, and where in the copy's block they go. */
final class Piece {
    /** Writes bytes that are nowhere as they are needed. */
    interface Writer {
        void write(HostMemory target, long at);
    }

    private @Nullable DeviceBuffer source;
    private long from;
    private long byteSize;
    private final @Nullable Writer writer;

    /** Where the piece begins in the block; set when all pieces are known. */
    long at;

    private Piece(@Nullable DeviceBuffer source, long from, long byteSize, @Nullable Writer writer) {
        this.source = source;
        this.from = from;
        this.byteSize = byteSize;
        this.writer = writer;
    }

    /** A range of a buffer. */
    static Piece of(DeviceBuffer source, long from, long byteSize) {
        source.checkRange(from, byteSize);
        return new Piece(source, from, byteSize, null);
    }

    /** A range of a buffer that {@link #resolve} will give. */
    static Piece unresolved() {
        return new Piece(null, 0, 0, null);
    }

    /** Bytes that the host writes. */
    static Piece written(long byteSize, Writer writer) {
        return new Piece(null, 0, byteSize, writer);
    }

    /** Zeros. */
    static Piece zeros(long byteSize) {
        return written(byteSize, (target, at) -> target.fill(at, byteSize, (byte) 0));
    }

    void resolve(DeviceBuffer buffer, long start, long size) {
        buffer.checkRange(start, size);
        source = buffer;
        from = start;
        byteSize = size;
    }

    /** The buffer that holds the bytes as they are; null if they must be written. */
    @Nullable
    DeviceBuffer source() {
        return source;
    }

    /** Where in the source the bytes begin. */
    long from() {
        return from;
    }

    long byteSize() {
        return byteSize;
    }

    /** What the piece takes in the block. */
    long paddedSize() {
        return (byteSize + CopyPlan.ALIGNMENT - 1) & -CopyPlan.ALIGNMENT;
    }

    /** Writes the bytes, from memory that the host can read, and zeros behind them up to the padded size. */
    void writeTo(HostMemory target, long position) {
        if (byteSize == 0) {
            return;
        }
        DeviceBuffer buffer = source;
        if (buffer != null) {
            buffer.memory().copyTo(from, target, position, byteSize);
        } else if (writer != null) {
            writer.write(target, position);
        }
        target.fill(position + byteSize, paddedSize() - byteSize, (byte) 0);
    }
}
