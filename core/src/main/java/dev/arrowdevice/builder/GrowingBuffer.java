package dev.arrowdevice.builder;

import dev.arrowdevice.internal.memory.HostAllocation;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** A buffer that is being filled. Its capacity is a multiple of 64 bytes. Nothing is allocated before it is needed. */
final class GrowingBuffer {
    private static final long ALIGNMENT = 64;
    private static final long FIRST_ELEMENTS = 64;

    private final BuildMemory memory;
    private final int elementSize;
    private @Nullable DeviceBuffer buffer;
    private HostMemory bytes = HostMemory.EMPTY;
    private long capacity;

    /** @param elementSize the bytes of an element, in which it grows */
    GrowingBuffer(BuildMemory memory, int elementSize) {
        this.memory = memory;
        this.elementSize = elementSize;
    }

    HostMemory bytes() {
        return bytes;
    }

    /** The number of bytes that there is room for. */
    long capacity() {
        return capacity;
    }

    /** Makes room for {@code byteSize} bytes in all, and keeps the first {@code used}. */
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

    /**
     * Makes room for a number of elements in all, if there is not enough. It then makes more than that, so that an array
     * that grows by single elements is copied only a few times. The first {@code used} bytes are kept.
     *
     * @throws IllegalStateException if the builder was closed
     */
    void grow(long elements, long used) {
        long byteSize = Math.multiplyExact(elements, elementSize);
        if (byteSize > capacity) {
            memory.requireOpen("append");
            long grown = Math.max(FIRST_ELEMENTS, memory.grown(capacity / elementSize, elementSize));
            resize(Math.max(byteSize, Math.multiplyExact(grown, elementSize)), used);
        }
    }

    /**
     * The first bytes as the buffer of an array. The specification: "Padded with zeros to a multiple of 64". Memory that
     * was reserved and not used may hold anything, so the padding is cleared here.
     */
    DeviceBuffer finish(long used) {
        resize(used, 0);
        long padded = Math.min(capacity, (used + ALIGNMENT - 1) & -ALIGNMENT);
        bytes.fill(used, padded - used, (byte) 0);
        DeviceBuffer filled = buffer;
        if (filled == null) {
            throw new AssertionError("resize allocates");
        }
        if (filled.getOwner() instanceof HostAllocation allocation) {
            allocation.fill(used);
        }
        return filled.truncate(used);
    }

    /** Forgets the memory. An array owns it now, or it was freed. */
    void reset() {
        buffer = null;
        bytes = HostMemory.EMPTY;
        capacity = 0;
    }
}
