package dev.arrowdevice.internal.copying;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.OffsetBuffer;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the copy of an array that the host can read: of its own range only and with offset 0, so that slices become
 * small. The null counts are computed, as long as that is easy.
 */
final class HostPlanner {
    private final CopyPlan plan;

    HostPlanner(CopyPlan plan) {
        this.plan = plan;
    }

    CopyPlan.Node plan(ArrayData source) {
        ArrowType type = source.getType().storageType();
        Layout layout = type.layout();
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
            if (hasEndOffset(kind, kinds)) {
                boolean wide = kind == BufferKind.OFFSETS64;
                if (from != null && length > 0) {
                    OffsetBuffer offsets = new OffsetBuffer(from.memory(), wide);
                    first = offsets.get(offset);
                    last = offsets.get(offset + length);
                    buffers[i] = rebased(from, wide, offset, length, first);
                } else {
                    buffers[i] = plan.add(Piece.zeros(wide ? 8 : 4)); // An empty array too has one offset.
                }
            } else if (from == null) {
                buffers[i] = null;
            } else if (kind == BufferKind.VALIDITY) {
                buffers[i] = nullCount == 0 ? null : bits(from, offset, length);
            } else if (kind == BufferKind.DATA && layout.bitWidth() == 1) {
                buffers[i] = bits(from, offset, length);
            } else if (kind != BufferKind.VARIABLE) {
                long width = byteWidth(kind, layout);
                buffers[i] = bytes(from, offset * width, length * width);
            } else if (layout.variadic()) {
                buffers[i] = bytes(from, 0, length == 0 ? 0 : from.getByteSize());
            } else {
                buffers[i] = bytes(from, first, last - first);
            }
        }
        CopyPlan.Node[] children = new CopyPlan.Node[source.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = plan(child(source, i, offset, length, first, last));
        }
        ArrayData dictionary = source.getDictionary();
        return new CopyPlan.Node(
                source.getType(),
                length,
                isRunEndEncoded(type) ? offset : 0, // Run ends count from the start.
                nullCount,
                buffers,
                children,
                dictionary == null ? null : plan(dictionary));
    }

    /** The part of a child that a range of its parent needs; {@code first} and {@code last} are a list's offsets. */
    private static ArrayData child(ArrayData source, int index, long offset, long length, long first, long last) {
        ArrayData child = source.child(index);
        ArrowType type = source.getType().storageType();
        switch (type.id()) {
            case STRUCT:
            case SPARSE_UNION:
                return child.slice(offset, length);
            case FIXED_SIZE_LIST:
                int size = ((FixedSizeListType) type).listSize();
                return child.slice(offset * size, length * size);
            case LIST:
            case LARGE_LIST:
            case MAP:
                return child.slice(first, last - first);
            default:
                return child; // List views, dense unions and runs address their children in ways of their own.
        }
    }

    /** Whether a buffer holds one offset more than the array has elements. */
    static boolean hasEndOffset(BufferKind kind, List<BufferKind> kinds) {
        return (kind == BufferKind.OFFSETS32 && !kinds.contains(BufferKind.SIZES32))
                || (kind == BufferKind.OFFSETS64 && !kinds.contains(BufferKind.SIZES64));
    }

    /** The bytes of one element in a buffer of whole bytes. */
    static long byteWidth(BufferKind kind, Layout layout) {
        switch (kind) {
            case DATA:
                return layout.bitWidth() / 8;
            case TYPE_IDS:
                return 1;
            case VIEWS:
                return 16;
            case OFFSETS64:
            case SIZES64:
                return 8;
            case OFFSETS32:
            case SIZES32:
            case UNION_OFFSETS:
                return 4;
            default:
                throw new AssertionError(kind);
        }
    }

    static boolean isRunEndEncoded(ArrowType type) {
        return type.id() == TypeId.RUN_END_ENCODED;
    }

    private Piece bytes(DeviceBuffer from, long start, long byteSize) {
        return plan.add(Piece.of(from, byteSize == 0 ? 0 : start, byteSize));
    }

    private Piece bits(DeviceBuffer from, long offset, long length) {
        long byteSize = Bits.byteSize(length);
        if ((offset & 7) == 0 && (length & 7) == 0) {
            return bytes(from, offset >> 3, byteSize);
        }
        from.checkRange(0, Bits.byteSize(offset + length));
        return plan.add(Piece.written(byteSize, (target, at) -> {
            HostMemory bitmap = target.slice(at, byteSize);
            if ((length & 7) != 0) {
                bitmap.putByte(byteSize - 1, (byte) 0); // Padding is zero: some consumers count whole words.
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

    private Piece rebased(DeviceBuffer from, boolean wide, long offset, long length, long first) {
        int shift = wide ? 3 : 2;
        long byteSize = (length + 1) << shift;
        if (first == 0) {
            return bytes(from, offset << shift, byteSize);
        }
        from.checkRange(offset << shift, byteSize);
        return plan.add(Piece.written(byteSize, (target, at) -> {
            OffsetBuffer offsets = new OffsetBuffer(from.memory(), wide);
            for (long i = 0; i <= length; i++) {
                long rebased = offsets.get(offset + i) - first;
                if (wide) {
                    target.putLong(at + (i << 3), rebased);
                } else {
                    target.putInt(at + (i << 2), (int) rebased);
                }
            }
        }));
    }
}
