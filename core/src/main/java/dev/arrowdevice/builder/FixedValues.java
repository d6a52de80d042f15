package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Values in memory that take the same number of whole bytes each, and their validity. A value is appended in three
 * steps: {@link #roomFor}, a write at {@link #end}, {@link #added}. Before the last it is no part of the array.
 */
final class FixedValues {
    final int width;
    private final GrowingBuffer buffer;
    private final Validity validity;
    private long length;

    /** The number of values that there is room for. */
    private long capacity;

    FixedValues(ArrowType type, BuildMemory memory) {
        this.width = type.layout().bitWidth() / 8;
        this.buffer = new GrowingBuffer(memory, elementSize());
        this.validity = new Validity(memory);
    }

    /** The bytes of a value, for the growth of the array: 1 if values have no bytes. */
    private int elementSize() {
        return Math.max(1, width);
    }

    long length() {
        return length;
    }

    /** The offset of the next value, in bytes. */
    long end() {
        return length * width;
    }

    /** The memory, with room for more values behind the {@link #end}. */
    HostMemory roomFor(long more) {
        if (more > capacity - length) {
            grow(length + more);
        }
        return buffer.bytes();
    }

    private void grow(long values) {
        buffer.grow(values, end());
        capacity = buffer.capacity() / elementSize();
    }

    /** Makes room for a number of values in all. */
    void reserve(long values) {
        roomFor(values - length);
    }

    /** Takes in values that were written at the end. */
    void added(long count) {
        length += count;
    }

    /** Takes in values that were written at the end, and makes those null that are not valid. */
    void added(int count, boolean @Nullable [] valid) {
        long start = length;
        if (valid != null) {
            boolean ready = false;
            for (int i = 0; i < count; i++) {
                if (!valid[i]) {
                    if (!ready) {
                        validity.makeRoom(start + count, capacity);
                        ready = true;
                    }
                    putZero(start + i);
                    validity.setNull(start + i, capacity);
                }
            }
        }
        length = start + count;
    }

    /** Takes in values that were written at the end. Those whose bits in {@code valid} are 0 are null, {@code nulls} in all. */
    void added(int count, byte[] valid, int nulls) {
        if (nulls > 0) {
            validity.setNulls(length, valid, count, nulls, capacity);
        }
        length += count;
    }

    void addNull() {
        roomFor(1);
        putZero(length);
        validity.setNull(length, capacity);
        length++;
    }

    void addZero() {
        roomFor(1);
        putZero(length);
        length++;
    }

    private void putZero(long index) {
        HostMemory values = buffer.bytes();
        switch (width) {
            case 1 -> values.putByte(index, (byte) 0);
            case 2 -> values.putShort(index << 1, (short) 0);
            case 4 -> values.putInt(index << 2, 0);
            case 8 -> values.putLong(index << 3, 0);
            default -> values.fill(index * width, width, (byte) 0);
        }
    }

    long nullCount() {
        return validity.nullCount();
    }

    /** The buffers of the array. */
    @Nullable
    DeviceBuffer[] finish() {
        return new @Nullable DeviceBuffer[] {validity.finish(length), buffer.finish(end())};
    }

    void reset() {
        buffer.reset();
        validity.reset();
        length = 0;
        capacity = 0;
    }
}
