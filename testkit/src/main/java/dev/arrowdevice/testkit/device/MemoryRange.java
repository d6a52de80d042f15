package dev.arrowdevice.testkit.device;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that queued work will access.
 *
 * @param allocation null for memory of the host that the simulation did not allocate
 */
record MemoryRange(@Nullable Allocation allocation, long address, long byteSize) {
    /** The real address of the bytes. */
    long bytes() {
        return allocation == null ? address : allocation.bytesAt(address);
    }

    /** Runs work that accesses the ranges, if they may be accessed now. The result is the failure, or null. */
    static Errors.@Nullable Failure use(
            InProcessDriver driver, Operation operation, List<MemoryRange> ranges, Runnable work) {
        List<Allocation> used = new ArrayList<>();
        try {
            for (MemoryRange range : ranges) {
                Allocation allocation = range.allocation;
                if (allocation != null) {
                    String wrong = allocation.use();
                    if (wrong != null) {
                        return driver.errors.misuse(operation, wrong + ": 0x" + Long.toHexString(range.address));
                    }
                    used.add(allocation);
                }
            }
            work.run();
            return null;
        } finally {
            used.forEach(Allocation::endUse);
        }
    }
}
