package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.internal.reading.BufferSizes;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.Layout;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks that an array has the buffers of its type, and that they are large enough for its length. */
final class BufferValidator {
    /** The highest end of an array (offset and length). Below it, sizes overflow only for values of many bytes. */
    private static final long MAX_END = Long.MAX_VALUE / 64;

    private BufferValidator() {}

    /** Checks one array, without its children. */
    static void validate(ArrayData array) {
        ArrowType storage = array.getType().storageType();
        Layout layout = storage.layout();
        List<BufferKind> kinds = layout.buffers();
        int given = array.getBufferCount();
        if (layout.variadic() ? given < kinds.size() : given != kinds.size()) {
            throw new InvalidArrayException(given + " buffers, " + Brief.type(storage) + " needs "
                    + (layout.variadic() ? "at least " : "") + kinds.size());
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
                require(buffer, kind, buffer == null ? 0 : byteSize(kind, layout, end));
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

    /** The size that length and offset need; 0 for data that offsets refer to. */
    private static long byteSize(BufferKind kind, Layout layout, long end) {
        if (kind == BufferKind.VARIABLE) {
            return 0;
        }
        try {
            return BufferSizes.byteSize(kind, layout, end);
        } catch (ArithmeticException e) {
            throw new InvalidArrayException(
                    "length and offset of " + end + " values of " + layout.bitWidth() / 8 + " bytes overflow");
        }
    }
}
