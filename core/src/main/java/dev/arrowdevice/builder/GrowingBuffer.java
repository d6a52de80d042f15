package dev.arrowdevice.builder;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** A buffer that is being filled. Its capacity is a multiple of 64 bytes; it allocates nothing before it is needed. */
final class GrowingBuffer {
    private static final long ALIGNMENT = 64;

    private final BuildMemory memory;
    private @Nullable DeviceBuffer buffer;
    private HostMemory bytes = HostMemory.EMPTY;
    private long capacity;

    GrowingBuffer(BuildMemory memory) {
        this.memory = memory;
    }

    HostMemory bytes() {
        return bytes;
    }

    long capacity() {
        return capacity;
    }

    /** Makes room for {@code byteSize} bytes in all; the first {@code used} are kept. */
    void resize(long byteSize, long used) {
        if (byteSize <= capacity && buffer != null) {
            return;
        }
        long rounded = Math.max(ALIGNMENT, (byteSize + ALIGNMENT - 1) & -ALIGNMENT);
        DeviceBuffer larger = memory.allocate(rounded);
        HostMemory largerBytes = larger.memory();
        if (used > 0) {
            bytes.copyTo(0, largerBytes, 0, used);
        }
        if (buffer != null) {
            memory.free(buffer);
        }
        buffer = larger;
        bytes = largerBytes;
        capacity = rounded;
    }

    /** As {@link #resize}, but with room for more, so that growing byte by byte copies each byte few times. */
    void grow(long byteSize, long used) {
        if (byteSize > capacity) {
            resize(Math.max(byteSize, memory.grown(capacity, 1)), used);
        }
    }

    /**
     * The first bytes as the buffer of an array. "Padded with zeros to a multiple of 64": what was reserved and not used
     * may hold anything, so the padding is cleared here.
     */
    DeviceBuffer finish(long used) {
        resize(used, 0);
        long padded = Math.min(capacity, (used + ALIGNMENT - 1) & -ALIGNMENT);
        bytes.fill(used, padded - used, (byte) 0);
        DeviceBuffer filled = buffer;
        if (filled == null) {
            throw new AssertionError("resize allocates");
        }
        return filled.truncate(used);
    }

    /** Forgets the memory, which belongs to an array now, or was freed. */
    void reset() {
        buffer = null;
        bytes = HostMemory.EMPTY;
        capacity = 0;
    }
}
