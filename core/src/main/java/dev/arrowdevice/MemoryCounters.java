package dev.arrowdevice;

import dev.arrowdevice.internal.memory.HostAllocation;

/**
 * What the SDK has allocated and not yet freed, in this process. Always on; each figure is exact once the threads that
 * allocate and free have finished.
 */
public final class MemoryCounters {
    private MemoryCounters() {}

    /** Bytes of host memory allocated and not yet freed, padding included. */
    public static long liveBytes() {
        return HostAllocation.liveBytes();
    }

    /** Buffers of host memory allocated and not yet freed. */
    public static long liveBuffers() {
        return HostAllocation.liveBuffers();
    }
}
