package dev.arrowdevice.testkit.device;

import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.testkit.device.TraceEntry.Phase;
import java.util.concurrent.atomic.AtomicLong;

/** The memory of one simulated device: its size, and what may access it. */
final class SimulatedMemory {
    private final InProcessDriver driver;
    private final long total;
    private final AtomicLong used = new AtomicLong();
    /** The number of allocations without those whose free is queued. */
    private final AtomicLong allocations = new AtomicLong();

    SimulatedMemory(InProcessDriver driver, long total) {
        this.driver = driver;
        this.total = total;
    }

    MemoryInfo info() {
        return new MemoryInfo(total - used.get(), total);
    }

    /** The number of allocations that nobody has freed. */
    long live() {
        return allocations.get();
    }

    Allocation allocate(Operation operation, MemoryKind kind, long byteSize, boolean ready) {
        if (kind != MemoryKind.HOST) {
            long before = used.getAndUpdate(sum -> byteSize <= total - sum ? sum + byteSize : sum);
            if (byteSize > total - before) {
                driver.trace.add(operation, Phase.REFUSED, 0, byteSize);
                throw driver.errors.exception(driver.errors.outOfMemory(operation, byteSize, total - before));
            }
        }
        try {
            Allocation made = new Allocation(driver, kind, byteSize, driver.isHostReadable(kind), ready);
            allocations.incrementAndGet();
            return made;
        } catch (OutOfMemoryError e) {
            uncount(kind, byteSize);
            throw driver.errors.exception(driver.errors.outOfMemory(operation, byteSize, 0));
        }
    }

    private void uncount(MemoryKind kind, long byteSize) {
        if (kind != MemoryKind.HOST) {
            used.addAndGet(-byteSize);
        }
    }

    /**
     * The memory at an address that a caller wants to free, now or in a queue's order. Only the first call for it
     * succeeds.
     */
    Allocation freeable(Operation operation, MemoryKind kind, long address) {
        Allocation allocation = Allocation.at(address);
        if (allocation == null || allocation.driver != driver || allocation.kind != kind || !allocation.promiseFree()) {
            throw driver.misuse(operation, "no " + kind + " memory is at " + InProcessDriver.hex(address));
        }
        allocations.decrementAndGet();
        return allocation;
    }

    /** Frees memory that {@link #freeable} returned. */
    void free(Operation operation, Allocation allocation) {
        int users = allocation.free();
        uncount(allocation.kind, allocation.byteSize);
        // A lost device does not wait for the work that it has started.
        if (users > 0 && !driver.isLost()) {
            driver.misuse(
                    operation,
                    "the memory at " + InProcessDriver.hex(allocation.address) + " is in use by work that runs");
        }
    }

    /** The memory that work will access. */
    MemoryRange range(Operation operation, long address, long byteSize) {
        Allocation allocation = Allocation.find(address);
        String place = " at " + InProcessDriver.hex(address);
        if (allocation == null) {
            if (Allocation.isDeviceAddress(address)) {
                throw driver.misuse(operation, "there is no memory" + place);
            }
            return new MemoryRange(null, address, byteSize);
        }
        if (allocation.isFreePromised()) {
            throw driver.misuse(operation, "the memory" + place + " has been freed in the order of a queue");
        }
        if (byteSize > allocation.byteSize - (address - allocation.address)) {
            throw driver.misuse(operation, byteSize + " bytes" + place + " reach beyond the memory's end");
        }
        InProcessDriver theirs = allocation.driver;
        if (theirs != driver && !theirs.isHostReadable(allocation.kind) && !driver.canAccessPeer(theirs.device())) {
            throw driver.misuse(operation, "memory of " + theirs.device() + ", which is no peer");
        }
        return new MemoryRange(allocation, address, byteSize);
    }
}
