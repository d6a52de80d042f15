package dev.arrowdevice.builder;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** Where each value ends in the bytes or the child behind, as numbers of 32 or 64 bits; a zero comes first. */
final class OffsetsBuffer {
    private final int width;
    private final GrowingBuffer buffer;

    /** That of the buffer, without the way to it. */
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

    /** Makes room for a number of values in all, of which there are {@code length}. */
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

    /** Writes where the value at an index, for which there is room, ends. */
    void put(long index, long end) {
        if (width == 8) {
            numbers.putLong((index + 1) << 3, end);
        } else {
            numbers.putInt((index + 1) << 2, (int) end);
        }
    }

    /** The buffer of an array; "one zero offset" where it is empty. */
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
