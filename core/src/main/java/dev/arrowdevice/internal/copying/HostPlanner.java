package dev.arrowdevice.internal.copying;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.copying.CopyPlan.Node;
import dev.arrowdevice.internal.copying.CopyPlan.Piece;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.BufferSizes;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.Layout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the copy of an array that the host can read. The copy has only the array's own range, with offset 0, so slices
 * become small. Null counts are computed if that is easy.
 */
final class HostPlanner {
    /**
     * Pinned memory smaller than this is copied together with the rest, because one large transfer takes less time than
     * two small ones.
     */
    private static final long SMALL = 1 << 16;

    private final @Nullable DeviceRuntime mover;
    private final List<Piece> pieces = new ArrayList<>();

    private HostPlanner(@Nullable DeviceRuntime mover) {
        this.mover = mover;
    }

    /** Plans a copy that the host makes. */
    static CopyPlan onHost(ArrayData source) {
        HostPlanner planner = new HostPlanner(null);
        return CopyPlan.of(planner.plan(source), planner.pieces);
    }

    /**
     * Plans a copy to a device that the host can't write. The host copies small pieces, and those in memory that the
     * device can't read, to pinned memory.
     *
     * @param mover the runtime of the device, which copies
     */
    static CopyPlan toDevice(ArrayData source, DeviceRuntime mover) {
        HostPlanner planner = new HostPlanner(mover);
        return CopyPlan.of(planner.plan(source), planner.pieces);
    }

    private Node plan(ArrayData source) {
        ArrayBuffers node = new ArrayBuffers(source);
        Layout layout = node.type().layout();
        List<BufferKind> kinds = layout.buffers();
        @Nullable Piece[] buffers = new Piece[source.getBufferCount()];
        long offset = source.getOffset();
        long length = source.getLength();
        long nullCount = source.getNullCount();
        long first = 0;
        long last = 0;
        for (int i = 0; i < buffers.length; i++) {
            DeviceBuffer from = source.buffer(i);
            BufferKind kind = i < kinds.size() ? kinds.get(i) : BufferKind.VARIABLE;
            if (BufferSizes.hasEndOffset(kind, layout)) {
                long width = BufferSizes.byteWidth(kind, layout);
                if (from != null && length > 0) {
                    Offsets offsets = node.offsets();
                    first = offsets.get(offset);
                    last = offsets.get(offset + length);
                    buffers[i] = rebased(from, offsets, width, length + 1, first, offset);
                } else {
                    buffers[i] = add(Piece.zeros(width)); // An empty array has one offset too.
                }
            } else if (from == null) {
                buffers[i] = null;
            } else if (kind == BufferKind.VALIDITY) {
                buffers[i] = nullCount == 0 ? null : bits(from, offset, length);
            } else if (kind == BufferKind.DATA && layout.bitWidth() == 1) {
                buffers[i] = bits(from, offset, length);
            } else if (kind != BufferKind.VARIABLE) {
                long width = BufferSizes.byteWidth(kind, layout);
                buffers[i] = bytes(from, offset * width, length * width);
            } else if (layout.variadic()) {
                buffers[i] = bytes(from, 0, length == 0 ? 0 : from.getByteSize());
            } else {
                buffers[i] = bytes(from, first, last - first);
            }
        }
        Node[] children = new Node[source.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = plan(
                    isList(node.type()) ? source.child(i).slice(first, last - first) : node.child(i, offset, length));
        }
        ArrayData dictionary = source.getDictionary();
        return new Node(
                source.getType(),
                length,
                isRunEndEncoded(node.type()) ? offset : 0, // Run ends count from the start.
                nullCount,
                buffers,
                children,
                dictionary == null ? null : plan(dictionary));
    }

    /** Whether ascending offsets refer to the child. For list views and dense unions, the child is copied whole. */
    private static boolean isList(ArrowType type) {
        return type.id() == TypeId.LIST || type.id() == TypeId.LARGE_LIST || type.id() == TypeId.MAP;
    }

    static boolean isRunEndEncoded(ArrowType type) {
        return type.id() == TypeId.RUN_END_ENCODED;
    }

    private Piece add(Piece piece) {
        pieces.add(piece);
        return piece;
    }

    private Piece bytes(DeviceBuffer from, long start, long byteSize) {
        return add(Piece.of(from, byteSize == 0 ? 0 : start, byteSize, !isDirect(from, byteSize)));
    }

    /** Whether the device reads the bytes from where they are. */
    private boolean isDirect(DeviceBuffer from, long byteSize) {
        return mover != null && byteSize >= SMALL && from.isPinned() && mover.canAccess(from.getDevice());
    }

    private Piece bits(DeviceBuffer from, long offset, long length) {
        long byteSize = Bits.byteSize(length);
        if ((offset & 7) == 0 && (length & 7) == 0) {
            return bytes(from, offset >> 3, byteSize);
        }
        from.checkRange(0, Bits.byteSize(offset + length));
        return add(Piece.written(byteSize, (target, at) -> {
            HostMemory bitmap = target.slice(at, byteSize);
            if ((length & 7) != 0) {
                // The padding must be zero, because some consumers count whole words.
                bitmap.putByte(byteSize - 1, (byte) 0);
            }
            if ((offset & 7) == 0) {
                long whole = length >> 3;
                from.memory().copyTo(offset >> 3, bitmap, 0, whole);
                if (whole < byteSize) {
                    int kept = (1 << (length & 7)) - 1;
                    bitmap.putByte(whole, (byte) (from.memory().getByte((offset >> 3) + whole) & kept));
                }
            } else {
                Bits.copy(from.memory(), offset, bitmap, length);
            }
        }));
    }

    /** A number of offsets from a position on, each less by {@code first}. */
    private Piece rebased(DeviceBuffer from, Offsets offsets, long width, long count, long first, long position) {
        if (first == 0) {
            return bytes(from, position * width, count * width);
        }
        from.checkRange(position * width, count * width);
        return add(Piece.written(count * width, (target, at) -> offsets.rebase(position, count, first, target, at)));
    }
}
