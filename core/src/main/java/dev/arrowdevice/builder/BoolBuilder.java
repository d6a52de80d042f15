package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Builds booleans, one bit each. */
final class BoolBuilder extends ArrayBuilder {
    private final GrowingBuffer buffer;
    private final Validity validity;
    private HostMemory bits = HostMemory.EMPTY;
    private long length;

    /** The number of bits that there is room for. */
    private long capacity;

    BoolBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.buffer = new GrowingBuffer(memory, 1);
        this.validity = new Validity(memory);
    }

    @Override
    public long getLength() {
        return length;
    }

    @Override
    public void append(boolean value) {
        put(value);
        length++;
    }

    /** Writes the next bit, which is not part of the array yet. */
    private void put(boolean value) {
        long at = length;
        if (at == capacity) {
            makeRoom(at + 1);
        }
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
    @Nullable
    Object keyOf(Object value) {
        return value instanceof Boolean ? value : null;
    }

    @Override
    void putNull() {
        put(false);
        validity.setNull(length, capacity);
        length++;
    }

    @Override
    void putEmpty() {
        append(false);
    }

    @Override
    void makeRoom(long elements) {
        if (elements > capacity) {
            buffer.grow(Bits.byteSize(elements), Bits.byteSize(length));
            bits = buffer.bytes();
            capacity = buffer.capacity() << 3;
        }
    }

    @Override
    ArrayData build() {
        DeviceBuffer bits = buffer.finish(Bits.byteSize(length));
        return data(validity.nullCount(), new @Nullable DeviceBuffer[] {validity.finish(length), bits});
    }

    @Override
    void reset() {
        buffer.reset();
        bits = HostMemory.EMPTY;
        validity.reset();
        length = 0;
        capacity = 0;
    }
}
