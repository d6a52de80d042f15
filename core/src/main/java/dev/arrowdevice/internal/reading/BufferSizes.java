package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/** The sizes of the buffers of a layout. */
public final class BufferSizes {
    private BufferSizes() {}

    /** Whether a buffer has one offset more than the array has elements. List views have sizes instead. */
    public static boolean hasEndOffset(BufferKind kind, Layout layout) {
        List<BufferKind> kinds = layout.buffers();
        return (kind == BufferKind.OFFSETS32 && !kinds.contains(BufferKind.SIZES32))
                || (kind == BufferKind.OFFSETS64 && !kinds.contains(BufferKind.SIZES64));
    }

    /** The bytes of one element in a buffer of whole bytes. */
    public static long byteWidth(BufferKind kind, Layout layout) {
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

    /**
     * The size in bytes of a buffer for a number of elements. Not for data that offsets refer to.
     *
     * @throws ArithmeticException if it overflows
     */
    public static long byteSize(BufferKind kind, Layout layout, long elements) {
        if (kind == BufferKind.VALIDITY || (kind == BufferKind.DATA && layout.bitWidth() == 1)) {
            return Bits.byteSize(elements);
        }
        long entries = hasEndOffset(kind, layout) ? elements + 1 : elements;
        return Math.multiplyExact(entries, byteWidth(kind, layout));
    }
}
