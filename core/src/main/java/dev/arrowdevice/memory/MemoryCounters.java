package dev.arrowdevice.memory;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the SDK has allocated and not yet freed, in this process. Always on; each figure is exact once the threads that
 * allocate and free have finished.
 */
public final class MemoryCounters {
    private static final LongAdder BYTES = new LongAdder();
    private static final LongAdder BUFFERS = new LongAdder();

    private MemoryCounters() {}

    /** Bytes of host memory allocated and not yet freed, padding included. */
    public static long liveBytes() {
        return BYTES.sum();
    }

    /** Buffers of host memory allocated and not yet freed. */
    public static long liveBuffers() {
        return BUFFERS.sum();
    }

    static void allocated(long byteSize) {
        BYTES.add(byteSize);
        BUFFERS.increment();
    }

    static void freed(long byteSize) {
        BYTES.add(-byteSize);
        BUFFERS.decrement();
    }
}
