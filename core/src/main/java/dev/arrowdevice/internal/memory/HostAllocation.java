package dev.arrowdevice.internal.memory;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Host memory that this SDK allocated: 64-byte aligned, and padded with zeros to a multiple of 64 bytes. It is on the C
 * heap. Without native access, and on Java before 22, the garbage collector frees it, some time after the last release.
 */
public final class HostAllocation extends ReferenceCounted {
    /** "recommended to allocate memory on aligned addresses (multiple of 8- or 64-bytes) and pad to such a multiple". */
    static final int ALIGNMENT = 64;

    /** What aligning may cost. No more, so that nothing lies between the padding and what is behind the memory. */
    private static final int SLACK = ALIGNMENT - CHeap.ALIGNMENT;

    private static final LongAdder BYTES = new LongAdder();
    private static final LongAdder BUFFERS = new LongAdder();
    /** Of the bytes, those that builders reserved and did not fill. */
    private static final LongAdder UNUSED = new LongAdder();

    // The reference count is written with every share and export. Fields that another thread reads may be right behind
    // it in memory, so these fill two cache lines.
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    private final long paddedSize;
    private final long nativeAddress;
    private long unused;

    /**
     * Memory that the garbage collector frees, if there is no native address. An export refers to the allocation alone,
     * which keeps the memory until the consumer has released it.
     */
    private final @Nullable HostMemory collected;

    private final @Nullable MemoryBudget budget;

    private HostAllocation(
            long paddedSize, long nativeAddress, @Nullable HostMemory collected, @Nullable MemoryBudget budget) {
        this.paddedSize = paddedSize;
        this.nativeAddress = nativeAddress;
        this.collected = collected;
        this.budget = budget;
        BYTES.add(paddedSize);
        BUFFERS.increment();
        if (paddedSize >= ReservedLimit.LEAST_ALLOCATION) {
            ReservedLimit.reserved(BYTES.sum());
        }
    }

    /** The number of bytes that are allocated and not freed, with padding. */
    public static long liveBytes() {
        return BYTES.sum();
    }

    /** Of {@link #liveBytes}, those that are filled. Memory counts as filled until {@link #fill} says how much is. */
    public static long usedBytes() {
        return BYTES.sum() - UNUSED.sum();
    }

    /** Says once how many bytes of the memory are filled; the rest stays reserved until the memory is freed. */
    public void fill(long byteSize) {
        unused = paddedSize - (byteSize + ALIGNMENT - 1 & -ALIGNMENT);
        if (unused != 0) {
            UNUSED.add(unused);
        }
    }

    /** The number of buffers that are allocated and not freed. */
    public static long liveBuffers() {
        return BUFFERS.sum();
    }

    /** Allocates memory. The padding is zero; the content before it is undefined. */
    public static DeviceBuffer allocate(Device device, long byteSize) {
        return allocate(device, byteSize, null);
    }

    /**
     * Allocates memory from a budget, which gets the bytes back when the memory is freed.
     *
     * @throws dev.arrowdevice.OutOfDeviceMemoryException if the budget does not have that many bytes left
     */
    public static DeviceBuffer allocate(Device device, long byteSize, @Nullable MemoryBudget budget) {
        if (byteSize < 0 || byteSize > Long.MAX_VALUE - 2 * ALIGNMENT) {
            throw new IllegalArgumentException("a buffer of " + byteSize + " bytes");
        }
        // At least one block, so that the address of an empty buffer is not NULL.
        long padded = Math.max(ALIGNMENT, (byteSize + ALIGNMENT - 1) & -ALIGNMENT);
        if (budget == null) {
            return allocatePadded(device, byteSize, padded, null);
        }
        budget.reserve(device, "allocate", padded);
        try {
            return allocatePadded(device, byteSize, padded, budget);
        } catch (Throwable e) {
            budget.release(padded);
            throw e;
        }
    }

    private static DeviceBuffer allocatePadded(
            Device device, long byteSize, long padded, @Nullable MemoryBudget budget) {
        HostMemory memory;
        HostAllocation allocation;
        if (Platform.hasNativeAccess()) {
            long base = CHeap.allocate(padded + SLACK);
            memory = SegmentMemory.ofAddress((base + ALIGNMENT - 1) & -ALIGNMENT, padded);
            allocation = new HostAllocation(padded, base, null, budget);
        } else if (Platform.HAS_FOREIGN_MEMORY) {
            memory = SegmentMemory.ofCollector(padded, ALIGNMENT);
            allocation = new HostAllocation(padded, 0, memory, budget);
        } else {
            if (padded > Integer.MAX_VALUE - ALIGNMENT) {
                throw new IllegalArgumentException(
                        "a buffer of " + byteSize + " bytes: on Java before 22 a buffer is smaller than 2 GiB");
            }
            ByteBuffer buffer = ByteBuffer.allocateDirect((int) padded + ALIGNMENT);
            memory = new ByteBufferMemory(buffer.alignedSlice(ALIGNMENT));
            allocation = new HostAllocation(padded, 0, memory, budget);
        }
        memory.fill(byteSize, padded - byteSize, (byte) 0);
        return DeviceBuffer.ofHostMemory(device, memory, byteSize, allocation);
    }

    @Override
    protected void free() {
        BYTES.add(-paddedSize);
        if (unused != 0) {
            UNUSED.add(-unused);
        }
        BUFFERS.decrement();
        if (nativeAddress != 0) {
            CHeap.free(nativeAddress, paddedSize + SLACK);
        }
        if (budget != null) {
            budget.release(paddedSize);
        }
    }
}
