package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/** Counts nulls: an array of the null type has no buffers. */
final class NullBuilder extends ArrayBuilder {
    NullBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
    }

    @Override
    boolean appendValue(Object value) {
        return false;
    }

    @Override
    void putNull() {
        appendEmpty();
    }

    @Override
    void putZero(long index) {}

    @Override
    void resize(long newCapacity) {}

    @Override
    ArrayData build() {
        return new ArrayData(
                getType(), memory.device(), length, 0, length, new @Nullable DeviceBuffer[0], new ArrayData[0], null);
    }
}
