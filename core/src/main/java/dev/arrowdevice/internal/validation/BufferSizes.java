package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.Layout;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks that an array that was put together has the buffers of its type, and that they are as large as its length needs. */
final class BufferSizes {
    /** The highest end of an array (offset and length); below it only values of many bytes can overflow a size. */
    private static final long MAX_END = Long.MAX_VALUE / 64;

    private BufferSizes() {}

    /** Checks one array, not its children. */
    static void validate(ArrayData array) {
        ArrowType storage = array.getType().storageType();
        Layout layout = storage.layout();
        List<BufferKind> kinds = layout.buffers();
        int given = array.getBufferCount();
        if (layout.variadic() ? given < kinds.size() : given != kinds.size()) {
            throw new InvalidArrayException(
                    given + " buffers, " + storage + " needs " + (layout.variadic() ? "at least " : "") + kinds.size());
        }
        long end = array.getOffset() + array.getLength();
        if (end > MAX_END) {
            throw new InvalidArrayException(
                    "length " + array.getLength() + " and offset " + array.getOffset() + " overflow");
        }
        for (int i = 0; i < kinds.size(); i++) {
            BufferKind kind = kinds.get(i);
            DeviceBuffer buffer = array.buffer(i);
            if (kind == BufferKind.VALIDITY) {
                if (buffer == null && array.getKnownNullCount() > 0) {
                    throw new InvalidArrayException(
                            "the validity bitmap is absent with a null count of " + array.getKnownNullCount());
                }
                require(buffer, kind, buffer == null ? 0 : Bits.byteSize(end));
            } else if (array.getLength() > 0) {
                require(buffer, kind, byteSize(kind, layout, end));
            }
        }
    }

    private static void require(@Nullable DeviceBuffer buffer, BufferKind kind, long needed) {
        long byteSize = buffer == null ? 0 : buffer.getByteSize();
        if (byteSize < needed && byteSize != DeviceBuffer.UNKNOWN_SIZE) {
            String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            throw new InvalidArrayException(
                    "the " + name + " buffer has " + byteSize + " bytes, " + needed + " are needed");
        }
    }

    /** What length and offset need; of bytes behind offsets nothing, for the offsets say that. */
    private static long byteSize(BufferKind kind, Layout layout, long end) {
        switch (kind) {
            case DATA:
                return layout.bitWidth() == 1 ? Bits.byteSize(end) : fixedSize(end, layout.bitWidth() / 8);
            case OFFSETS32:
                return layout.buffers().contains(BufferKind.SIZES32) ? end * 4 : (end + 1) * 4;
            case OFFSETS64:
                return layout.buffers().contains(BufferKind.SIZES64) ? end * 8 : (end + 1) * 8;
            case SIZES32:
            case UNION_OFFSETS:
                return end * 4;
            case SIZES64:
                return end * 8;
            case TYPE_IDS:
                return end;
            case VIEWS:
                return end * 16;
            default:
                return 0;
        }
    }

    private static long fixedSize(long end, int byteWidth) {
        try {
            return Math.multiplyExact(end, (long) byteWidth);
        } catch (ArithmeticException e) {
            throw new InvalidArrayException(
                    "length and offset of " + end + " values of " + byteWidth + " bytes overflow");
        }
    }
}
