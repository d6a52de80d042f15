package dev.arrowdevice.internal.copying;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a copy of an array. One block of memory has all of its buffers, each at a multiple of 64 bytes. The
 * pieces that the host writes come first, then those that are copied from where they are.
 *
 * @param root the tree of the copy
 * @param staged the pieces that the host writes: the first {@code stagedSize} bytes of the block
 * @param stagedSize the bytes at the start of the block that the host writes
 * @param direct the copies of the other pieces
 * @param byteSize the size of the block
 */
record CopyPlan(Node root, List<Piece> staged, long stagedSize, List<Copy> direct, long byteSize) {
    private static final long ALIGNMENT = 64;

    /** Gives each piece its place. */
    static CopyPlan of(Node root, List<Piece> pieces) {
        List<Piece> staged = new ArrayList<>();
        long at = 0;
        for (Piece piece : pieces) {
            if (piece.byteSize() > 0 && piece.isStaged()) {
                staged.add(piece);
                at = place(piece, at);
            }
        }
        long stagedSize = at;
        List<Copy> direct = new ArrayList<>();
        for (Piece piece : pieces) {
            if (piece.byteSize() > 0 && !piece.isStaged()) {
                at = place(piece, at);
                direct.add(piece.copy());
            }
        }
        return new CopyPlan(root, staged, stagedSize, direct, at);
    }

    private static long place(Piece piece, long at) {
        piece.at = at;
        return Math.addExact(Math.addExact(at, piece.byteSize()), padding(piece.byteSize()));
    }

    /** The padding between a number of bytes and the next piece. */
    static long padding(long byteSize) {
        return -byteSize & (ALIGNMENT - 1);
    }

    /** The array in a block that contains the pieces. */
    ArrayData over(DeviceBuffer block, Device device) {
        return root.over(block, device);
    }

    /** One buffer of a copy: the source of its bytes, and its place in the block. */
    static final class Piece {
        /** Writes bytes that no source contains as they are needed. */
        interface Writer {
            void write(HostMemory target, long at);
        }

        private @Nullable DeviceBuffer source;
        private long from;
        private long byteSize;
        private final @Nullable Writer writer;
        private final boolean staged;

        /** The offset of the piece in the block, which {@link #of(Node, List)} sets. */
        long at;

        private Piece(
                @Nullable DeviceBuffer source, long from, long byteSize, @Nullable Writer writer, boolean staged) {
            this.source = source;
            this.from = from;
            this.byteSize = byteSize;
            this.writer = writer;
            this.staged = staged;
        }

        /**
         * A range of a buffer.
         *
         * @param staged whether the host writes the piece; otherwise it is copied from where it is
         */
        static Piece of(DeviceBuffer source, long from, long byteSize, boolean staged) {
            source.checkRange(from, byteSize);
            return new Piece(source, from, byteSize, null, staged);
        }

        /** A range of a buffer that is not known before {@link #resolve}, copied from where it is. */
        static Piece unresolved() {
            return new Piece(null, 0, 0, null, false);
        }

        /** Bytes that the host computes. */
        static Piece written(long byteSize, Writer writer) {
            return new Piece(null, 0, byteSize, writer, true);
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

        /** Whether the host writes the bytes. */
        boolean isStaged() {
            return staged;
        }

        /** The offset of the bytes in the source. */
        long from() {
            return from;
        }

        long byteSize() {
            return byteSize;
        }

        /** The copy of a piece that is not staged, with its padding if the source has that. */
        Copy copy() {
            DeviceBuffer buffer = source;
            if (buffer == null) {
                throw new IllegalStateException("a piece without a source");
            }
            DeviceBuffer padded = buffer.padded();
            long copied = from + byteSize == buffer.getByteSize()
                    ? Math.min(byteSize + padding(byteSize), padded.getByteSize() - from)
                    : byteSize;
            return new Copy(padded, from, at, copied);
        }

        /** Whether the host computes the bytes, all at once. Otherwise they are those of a source. */
        boolean isComputed() {
            return source == null;
        }

        /** The size with the padding. */
        long paddedSize() {
            return byteSize + padding(byteSize);
        }

        /** Writes the bytes of a staged piece to a place, then zeros up to the padded size. */
        void writeTo(HostMemory block, long position) {
            if (writer != null) {
                writer.write(block, position);
                block.fill(position + byteSize, padding(byteSize), (byte) 0);
            } else {
                writePart(0, paddedSize(), block, position);
            }
        }

        /** Writes a part of the bytes of a source and of the zeros behind them. */
        void writePart(long start, long size, HostMemory block, long position) {
            long copied = Math.max(0, Math.min(size, byteSize - start));
            if (source != null && copied > 0) {
                source.memory().copyTo(from + start, block, position, copied);
            }
            block.fill(position + copied, size - copied, (byte) 0);
        }
    }

    /**
     * One copy to queue.
     *
     * @param from the offset in the source
     * @param at the offset in the block
     * @param byteSize the size, with the padding as far as the source has it
     */
    record Copy(DeviceBuffer source, long from, long at, long byteSize) {}

    /** A node of the tree. An absent buffer is null. */
    record Node(
            ArrowType type,
            long length,
            long offset,
            long nullCount,
            @Nullable Piece[] buffers,
            Node[] children,
            @Nullable Node dictionary) {
        private ArrayData over(DeviceBuffer block, Device device) {
            @Nullable DeviceBuffer[] slices = new DeviceBuffer[buffers.length];
            for (int i = 0; i < slices.length; i++) {
                Piece piece = buffers[i];
                slices[i] = piece == null ? null : block.slice(piece.at, piece.byteSize());
            }
            ArrayData[] below = new ArrayData[children.length];
            for (int i = 0; i < below.length; i++) {
                below[i] = children[i].over(block, device);
            }
            Node values = dictionary;
            return new ArrayData(
                    type,
                    device,
                    length,
                    offset,
                    nullCount,
                    slices,
                    below,
                    values == null ? null : values.over(block, device));
        }
    }
}
