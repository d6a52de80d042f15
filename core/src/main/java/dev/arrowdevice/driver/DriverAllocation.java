package dev.arrowdevice.driver;

import dev.arrowdevice.memory.ReferenceCounted;

/** Memory that a driver allocated. */
final class DriverAllocation extends ReferenceCounted {
    private final DriverContext context;
    private final long byteSize;
    private final Runnable free;

    /** Takes over a reference to the context. */
    DriverAllocation(DriverContext context, long byteSize, Runnable free) {
        this.context = context;
        this.byteSize = byteSize;
        this.free = free;
        LiveResources.BUFFERS.increment();
        LiveResources.BYTES.add(byteSize);
    }

    @Override
    protected void free() {
        LateFailure.reporting(free);
        LiveResources.BUFFERS.decrement();
        LiveResources.BYTES.add(-byteSize);
        context.release();
    }
}
