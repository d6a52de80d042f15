package dev.arrowdevice.testkit.device;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that queued work will touch.
 *
 * @param allocation null for memory of the host that is not the simulation's
 */
record MemoryRange(@Nullable Allocation allocation, long address, long byteSize) {
    /** Where the bytes really are. */
    long bytes() {
        return allocation == null ? address : allocation.bytesAt(address);
    }

    /** Does work that touches ranges, if they may be touched now; the result is why it failed, or null. */
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
