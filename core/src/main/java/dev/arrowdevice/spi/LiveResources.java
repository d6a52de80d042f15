package dev.arrowdevice.spi;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the runtimes of all drivers have made and not yet destroyed, in this process. Exact once the threads that make and
 * destroy have finished.
 *
 * @param buffers allocations of device, pinned and managed memory
 * @param bytes their sizes
 * @param queues queues, those not counted that a runtime keeps for itself
 * @param events events
 */
public record LiveResources(long buffers, long bytes, long queues, long events) {
    static final LongAdder BUFFERS = new LongAdder();
    static final LongAdder BYTES = new LongAdder();
    static final LongAdder QUEUES = new LongAdder();
    static final LongAdder EVENTS = new LongAdder();

    /** The figures of this moment. */
    public static LiveResources now() {
        return new LiveResources(BUFFERS.sum(), BYTES.sum(), QUEUES.sum(), EVENTS.sum());
    }
}
