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
 * A copy of an array, decided: one block of memory holds all of its buffers, each on an address that is a multiple of 64.
 * What the host writes comes first, one behind the other, then what is copied from where it is.
 *
 * @param root the tree of the copy
 * @param staged the pieces that the host writes: the first {@code stagedSize} bytes of the block
 * @param stagedSize the bytes at the start of the block that the host writes
 * @param direct the copies that bring the other pieces
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

    /** The bytes behind so many others, up to the next piece. */
    static long padding(long byteSize) {
        return -byteSize & (ALIGNMENT - 1);
    }

    /** The array over a block that holds the pieces. */
    ArrayData over(DeviceBuffer block, Device device) {
        return root.over(block, device);
    }

    /** One buffer of a copy: where its bytes come from, who brings them, and where in the copy's block they go. */
    static final class Piece {
        /** Writes bytes that are nowhere as they are needed. */
        interface Writer {
            void write(HostMemory target, long at);
        }

        private @Nullable DeviceBuffer source;
        private long from;
        private long byteSize;
        private final @Nullable Writer writer;
        private final boolean staged;

        /** Where the piece begins in the block; {@link #of(Node, List)} sets it. */
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
         * @param staged whether the host writes it; else it is copied from where it is
         */
        static Piece of(DeviceBuffer source, long from, long byteSize, boolean staged) {
            source.checkRange(from, byteSize);
            return new Piece(source, from, byteSize, null, staged);
        }

        /** A range of a buffer, which {@link #resolve} will give, copied from where it is. */
        static Piece unresolved() {
            return new Piece(null, 0, 0, null, false);
        }

        /** Bytes that the host makes. */
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

        /** Where in the source the bytes begin. */
        long from() {
            return from;
        }

        long byteSize() {
            return byteSize;
        }

        /** The copy that brings a piece which is not staged, with the padding behind it where the source has that. */
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

        /** Writes the bytes of a staged piece to its place, and zeros behind them up to the padded size. */
        void writeTo(HostMemory block) {
            if (source != null) {
                source.memory().copyTo(from, block, at, byteSize);
            } else if (writer != null) {
                writer.write(block, at);
            }
            block.fill(at + byteSize, padding(byteSize), (byte) 0);
        }
    }

    /**
     * One copy to queue.
     *
     * @param from where in the source it begins
     * @param at where in the block it goes
     * @param byteSize with the padding behind the bytes, as far as the source has that
     */
    record Copy(DeviceBuffer source, long from, long at, long byteSize) {}

    /** A node of the tree; its buffers are absent where they are null. */
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
