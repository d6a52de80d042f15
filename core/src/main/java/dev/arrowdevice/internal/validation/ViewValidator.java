package dev.arrowdevice.internal.validation;

import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.function.LongPredicate;

/** Checks the 16-byte views of utf8 and binary view arrays. */
final class ViewValidator {
    private static final int MAX_INLINE = 12;

    private ViewValidator() {}

    static void validate(ArrayData array, ArrayBuffers buffers, LongPredicate isValid, boolean text) {
        if (array.getLength() == 0) {
            return;
        }
        HostMemory views = buffers.memory(1);
        for (long i = 0; i < array.getLength(); i++) {
            long position = array.getOffset() + i;
            if (isValid.test(position)) {
                validateView(array, views, position * 16, i, text);
            }
        }
    }

    private static void validateView(ArrayData array, HostMemory views, long at, long index, boolean text) {
        int size = views.getInt(at);
        if (size < 0) {
            throw new InvalidArrayException("the view at index " + index + " has " + size + " bytes");
        }
        if (size <= MAX_INLINE) {
            for (int i = size; i < MAX_INLINE; i++) {
                if (views.getByte(at + 4 + i) != 0) {
                    throw new InvalidArrayException(
                            "the view at index " + index + " is inline and not padded with zeros");
                }
            }
            if (text) {
                Utf8.validate(views, at + 4, size, index);
            }
            return;
        }
        int number = views.getInt(at + 8);
        int offset = views.getInt(at + 12);
        if (number < 0 || number >= array.getBufferCount() - 2) {
            throw new InvalidArrayException("the view at index " + index + " refers to data buffer " + number + " of "
                    + (array.getBufferCount() - 2));
        }
        DeviceBuffer buffer = array.buffer(2 + number);
        long available = buffer == null ? 0 : buffer.getByteSize();
        if (buffer == null || offset < 0 || offset > available - size) {
            throw new InvalidArrayException("the view at index " + index + " has " + size + " bytes from " + offset
                    + " of data buffer " + number + ", which has " + available);
        }
        HostMemory data = buffer.memory();
        if (views.getInt(at + 4) != data.getInt(offset)) {
            throw new InvalidArrayException("the prefix of the view at index " + index + " is not that of its data");
        }
        if (text) {
            Utf8.validate(data, offset, size, index);
        }
    }
}
