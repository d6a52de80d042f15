package dev.arrowdevice.builder;

import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A validity bitmap that costs nothing while nothing is null. It is allocated at the first null. All bits up to its
 * capacity are then set in advance, so that appending a valid value never touches it.
 */
final class Validity {
    private final GrowingBuffer buffer;
    private long nullCount;

    Validity(BuildMemory memory) {
        buffer = new GrowingBuffer(memory, 1);
    }

    long nullCount() {
        return nullCount;
    }

    /** Makes room for a number of elements in all, so that marking one of them null does not fail. */
    void makeRoom(long elements, long capacity) {
        if (buffer.capacity() << 3 < elements) {
            grow(Math.max(capacity, elements));
        }
    }

    /** Marks the element at an index null; {@code capacity} is the number of elements that the builder has room for. */
    void setNull(long index, long capacity) {
        if (buffer.capacity() << 3 <= index) {
            grow(Math.max(capacity, index + 1));
        }
        Bits.clear(buffer.bytes(), index);
        nullCount++;
    }

    /** Marks elements null, of {@code count} from an index on: those whose bits in {@code valid} are 0, {@code nulls} in all. */
    void setNulls(long index, byte[] valid, int count, int nulls, long capacity) {
        if ((index & 7) != 0) {
            makeRoom(index + count, capacity);
            for (int i = 0; i < count; i++) {
                if ((valid[i >> 3] >> (i & 7) & 1) == 0) {
                    setNull(index + i, capacity);
                }
            }
            return;
        }
        int byteSize = (int) Bits.byteSize(count);
        if (buffer.capacity() < (index >> 3) + byteSize) {
            grow(Math.max(capacity, index + count));
        }
        buffer.bytes().put(index >> 3, valid, 0, byteSize);
        nullCount += nulls;
    }

    private void grow(long capacity) {
        long kept = buffer.capacity();
        buffer.resize(Math.max(Bits.byteSize(capacity), kept * 2), kept);
        buffer.bytes().fill(kept, buffer.capacity() - kept, (byte) -1);
    }

    /** The bitmap, or null if nothing is null. */
    @Nullable
    DeviceBuffer finish(long length) {
        if (nullCount == 0) {
            return null;
        }
        long byteSize = Bits.byteSize(length);
        if (buffer.capacity() < byteSize) {
            grow(length);
        }
        DeviceBuffer bitmap = buffer.finish(byteSize);
        Bits.fill(buffer.bytes(), length, (byteSize << 3) - length, false);
        return bitmap;
    }

    void reset() {
        buffer.reset();
        nullCount = 0;
    }
}
