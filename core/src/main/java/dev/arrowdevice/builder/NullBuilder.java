package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/** Counts nulls: an array of the null type has no buffers. */
final class NullBuilder extends ArrayBuilder {
    private long length;

    NullBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
    }

    @Override
    public long getLength() {
        return length;
    }

    @Override
    boolean appendValue(Object value) {
        return false;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        return null;
    }

    @Override
    void putNull() {
        memory.requireOpen("append");
        length++;
    }

    @Override
    void putEmpty() {
        putNull();
    }

    @Override
    void makeRoom(long elements) {}

    @Override
    ArrayData build() {
        return data(length, new @Nullable DeviceBuffer[0]);
    }

    @Override
    void reset() {
        length = 0;
    }
}
