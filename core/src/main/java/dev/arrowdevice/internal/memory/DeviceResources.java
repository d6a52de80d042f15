package dev.arrowdevice.internal.memory;

import java.util.concurrent.atomic.LongAdder;

/** Counts what the runtimes of all drivers have made and not destroyed yet. */
public final class DeviceResources {
    /** Allocations of device, pinned and managed memory. */
    public static final LongAdder BUFFERS = new LongAdder();
    /** The sizes of these. */
    public static final LongAdder BYTES = new LongAdder();
    /** Queues, without those that a runtime keeps for itself. */
    public static final LongAdder QUEUES = new LongAdder();
    /** Events. */
    public static final LongAdder EVENTS = new LongAdder();

    private DeviceResources() {}
}
