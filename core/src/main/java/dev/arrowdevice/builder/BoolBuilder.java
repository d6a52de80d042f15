package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Builds booleans, one bit each. */
final class BoolBuilder extends ArrayBuilder {
    private final GrowingBuffer buffer;
    private HostMemory bits = HostMemory.EMPTY;

    BoolBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.buffer = new GrowingBuffer(memory);
    }

    @Override
    public void append(boolean value) {
        long at = nextIndex();
        put(at, value);
        length = at + 1;
    }

    private void put(long at, boolean value) {
        int bit = (int) (at & 7);
        // The first bit of a byte clears the rest of it, so that fresh memory needs no preparation.
        int before = bit == 0 ? 0 : bits.getByte(at >> 3);
        bits.putByte(at >> 3, (byte) (value ? before | 1 << bit : before & ~(1 << bit)));
    }

    @Override
    boolean appendValue(Object value) {
        if (!(value instanceof Boolean flag)) {
            return false;
        }
        append((boolean) flag);
        return true;
    }

    @Override
    void putZero(long index) {
        put(index, false);
    }

    @Override
    void resize(long newCapacity) {
        buffer.resize(Bits.byteSize(newCapacity), Bits.byteSize(length));
        bits = buffer.bytes();
    }

    @Override
    ArrayData build() {
        return data(withValidity(buffer.finish(Bits.byteSize(length))));
    }

    @Override
    void reset() {
        super.reset();
        buffer.reset();
        bits = HostMemory.EMPTY;
    }
}
