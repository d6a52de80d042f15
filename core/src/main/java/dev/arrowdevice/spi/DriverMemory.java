package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.OutOfDeviceMemoryException;

/**
 * Allocates for a runtime. Each method takes over one reference to the context for the memory. On failure the reference
 * is released.
 */
final class DriverMemory {
    private static final long BLOCK = 64;

    private final DriverContext context;
    private final DeviceDriver driver;
    private final Device device;
    private final Device hostDevice;
    private final MemoryKind kind;

    DriverMemory(DriverContext context, Device device, Device hostDevice, MemoryKind kind) {
        this.context = context;
        this.driver = context.getDriver();
        this.device = device;
        this.hostDevice = hostDevice;
        this.kind = kind;
    }

    /** Checks a size before anything is allocated. */
    static void requireSize(long byteSize) {
        if (byteSize < 0 || byteSize > Long.MAX_VALUE - BLOCK) {
            throw new IllegalArgumentException("a buffer of " + byteSize + " bytes");
        }
    }

    private static long padded(long byteSize) {
        return Math.max(BLOCK, (byteSize + BLOCK - 1) & -BLOCK);
    }

    /** Allocates memory of the runtime's kind. */
    DeviceBuffer allocate(long byteSize) {
        return allocate(kind, device, byteSize);
    }

    /** Allocates the host memory that the device copies from and to fastest. */
    DeviceBuffer allocateStaging(long byteSize) {
        return allocate(MemoryKind.HOST, hostDevice, byteSize);
    }

    /** Allocates such memory, of what is kept if there is some, for work that is over when it is released. */
    DeviceBuffer allocateForCopy(long byteSize) {
        StagingCache cache = context.staging();
        long blockSize = cache.blockSize(byteSize);
        if (blockSize == 0) {
            return allocateStaging(byteSize);
        }
        long address;
        try {
            long known = cache.take(blockSize);
            address = known != 0 ? known : pin(blockSize, cache);
        } catch (Throwable e) {
            context.release();
            throw e;
        }
        return buffer(MemoryKind.HOST, hostDevice, address, byteSize, new StagingBlock(context, address, blockSize));
    }

    /** Allocates pinned memory. If there is no room, what is kept in other sizes is freed first. */
    private long pin(long byteSize, StagingCache cache) {
        try {
            return driver.allocate(MemoryKind.HOST, byteSize);
        } catch (OutOfDeviceMemoryException e) {
            if (!cache.trim()) {
                throw e;
            }
        }
        return driver.allocate(MemoryKind.HOST, byteSize);
    }

    private DeviceBuffer allocate(MemoryKind kindOfMemory, Device deviceOfMemory, long byteSize) {
        long padded = padded(byteSize);
        long address;
        try {
            address = driver.allocate(kindOfMemory, padded);
        } catch (Throwable e) {
            context.release();
            throw e;
        }
        ReferenceCounted owner =
                new DriverAllocation(context, padded, () -> driver.free(kindOfMemory, address), () -> {});
        return buffer(kindOfMemory, deviceOfMemory, address, byteSize, owner);
    }

    /**
     * Allocates memory of the runtime's kind in the order of a queue.
     *
     * @param queue a use of the queue, which the memory needs until it is freed; it is released then, or on failure
     */
    DeviceBuffer allocateAsync(long byteSize, DriverQueue.NativeQueue queue) {
        try {
            return kind == MemoryKind.DEVICE && driver.hasQueueOrderedMemory()
                    ? allocateOrdered(byteSize, queue)
                    : allocateAtOnce(byteSize, queue);
        } catch (Throwable e) {
            queue.releaseUse();
            throw e;
        }
    }

    private DeviceBuffer allocateOrdered(long byteSize, DriverQueue.NativeQueue queue) {
        long padded = padded(byteSize);
        long address;
        try {
            address = driver.allocateAsync(padded, queue.value);
        } catch (Throwable e) {
            context.release();
            throw e;
        }
        ReferenceCounted owner =
                new DriverAllocation(context, padded, () -> driver.freeAsync(address, queue.value), queue::releaseUse);
        return DeviceBuffer.ofAddress(device, address, byteSize, owner);
    }

    /** Allocates at once, and frees when the queue has done its work. */
    private DeviceBuffer allocateAtOnce(long byteSize, DriverQueue.NativeQueue queue) {
        DeviceBuffer buffer = allocate(byteSize);
        ReferenceCounted owner = new OrderedMemory(context, queue, buffer.getOwner());
        return buffer(kind, device, buffer.getAddress(), byteSize, owner);
    }

    private DeviceBuffer buffer(
            MemoryKind kindOfMemory, Device deviceOfMemory, long address, long byteSize, ReferenceCounted owner) {
        return driver.isHostReadable(kindOfMemory)
                ? DeviceBuffer.ofHostAddress(deviceOfMemory, address, byteSize, owner)
                : DeviceBuffer.ofAddress(deviceOfMemory, address, byteSize, owner);
    }
}
