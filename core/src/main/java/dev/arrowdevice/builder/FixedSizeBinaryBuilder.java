package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import org.jspecify.annotations.Nullable;

/** Builds binary values of one size. */
final class FixedSizeBinaryBuilder extends FixedWidthBuilder {
    FixedSizeBinaryBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
    }

    @Override
    boolean appendValue(Object value) {
        byte[] bytes = Bytes.of(value);
        if (bytes == null) {
            return false;
        }
        if (bytes.length != byteWidth) {
            throw unfit(bytes.length + " bytes");
        }
        long at = nextIndex();
        values.put(at * byteWidth, bytes, 0, byteWidth);
        length = at + 1;
        return true;
    }
}
