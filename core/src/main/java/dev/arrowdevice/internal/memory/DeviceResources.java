package dev.arrowdevice.internal.memory;

import java.util.concurrent.atomic.LongAdder;

/** What the runtimes of all drivers have made and not yet destroyed. */
public final class DeviceResources {
    /** Allocations of device, pinned and managed memory. */
    public static final LongAdder BUFFERS = new LongAdder();
    /** Their sizes. */
    public static final LongAdder BYTES = new LongAdder();
    /** Queues, those not counted that a runtime keeps for itself. */
    public static final LongAdder QUEUES = new LongAdder();
    /** Events. */
    public static final LongAdder EVENTS = new LongAdder();

    private DeviceResources() {}
}
