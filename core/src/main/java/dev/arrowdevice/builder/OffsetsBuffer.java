package dev.arrowdevice.builder;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** The offset of the end of each value, as numbers of 32 or 64 bits, after a first zero. */
final class OffsetsBuffer {
    private final int width;
    private final GrowingBuffer buffer;

    /** The buffer's memory, kept here so that reading it takes no indirection. */
    private HostMemory numbers = HostMemory.EMPTY;

    /** The number of values that there is room for. */
    private long capacity;

    OffsetsBuffer(int width, BuildMemory memory) {
        this.width = width;
        this.buffer = new GrowingBuffer(memory, width);
    }

    long capacity() {
        return capacity;
    }

    /** Makes room for a number of values in all, and keeps the first {@code length}. */
    void reserve(long values, long length) {
        if (values > capacity) {
            grow(values, length);
        }
    }

    private void grow(long values, long length) {
        boolean fresh = buffer.capacity() == 0;
        buffer.grow(values + 1, fresh ? 0 : (length + 1) * width);
        numbers = buffer.bytes();
        if (fresh) {
            numbers.putLong(0, 0);
        }
        capacity = buffer.capacity() / width - 1;
    }

    /** Writes the end of the value at an index. There is room for it. */
    void put(long index, long end) {
        if (width == 8) {
            numbers.putLong((index + 1) << 3, end);
        } else {
            numbers.putInt((index + 1) << 2, (int) end);
        }
    }

    /** The buffer of an array. An empty array has "one zero offset". */
    DeviceBuffer finish(long length) {
        if (buffer.capacity() == 0) {
            grow(0, 0);
        }
        return buffer.finish((length + 1) * width);
    }

    void reset() {
        buffer.reset();
        numbers = HostMemory.EMPTY;
        capacity = 0;
    }
}
