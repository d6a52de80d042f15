package dev.arrowdevice.internal.copying;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a copy of an array consists of: the tree, and the pieces of the one block of memory that will hold all of its
 * buffers, each on an address that is a multiple of 64.
 */
final class CopyPlan {
    static final long ALIGNMENT = 64;

    private final List<Piece> pieces = new ArrayList<>();
    private final List<Piece> staged = new ArrayList<>();
    private final List<Piece> direct = new ArrayList<>();
    private long stagedSize;
    private long byteSize;

    Piece add(Piece piece) {
        pieces.add(piece);
        return piece;
    }

    /** Gives each piece its place; those that the host writes come first, one behind the other. */
    void layOut(Predicate<Piece> isStaged) {
        for (Piece piece : pieces) {
            if (piece.byteSize() > 0) {
                (isStaged.test(piece) ? staged : direct).add(piece);
            }
        }
        stagedSize = place(staged, 0);
        byteSize = place(direct, stagedSize);
    }

    private static long place(List<Piece> ordered, long start) {
        long at = start;
        for (Piece piece : ordered) {
            piece.at = at;
            at = Math.addExact(at, piece.paddedSize());
        }
        return at;
    }

    /** The pieces that the host writes: the first {@link #stagedSize} bytes of the block. */
    List<Piece> staged() {
        return staged;
    }

    /** The pieces that are copied from where they are. */
    List<Piece> direct() {
        return direct;
    }

    /** The bytes at the start of the block that the host writes. */
    long stagedSize() {
        return stagedSize;
    }

    /** The size of the block. */
    long byteSize() {
        return byteSize;
    }

    /** A node of the tree; its buffers are absent where they are null. */
    record Node(
            ArrowType type,
            long length,
            long offset,
            long nullCount,
            @Nullable Piece[] buffers,
            Node[] children,
            @Nullable Node dictionary) {
        /** The tree over a block that holds the pieces. */
        ArrayData over(DeviceBuffer block, Device device) {
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
