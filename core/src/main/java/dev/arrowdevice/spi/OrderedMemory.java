package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.DeferredRelease;

/**
 * Memory that its driver can't free in the order of a queue. It is freed when the queue has done its work; the release
 * does not wait for that.
 */
final class OrderedMemory extends ReferenceCounted {
    private final DriverContext context;
    private final DriverQueue.NativeQueue queue;
    private final ReferenceCounted memory;

    /** Takes over one use of the queue, and one reference to the memory. */
    OrderedMemory(DriverContext context, DriverQueue.NativeQueue queue, ReferenceCounted memory) {
        this.context = context;
        this.queue = queue;
        this.memory = memory;
    }

    @Override
    protected void free() {
        context.freeNative(this::defer, () -> {});
    }

    /** Never throws. If the driver records no event, a thread waits for the queue. */
    private void defer() {
        DeviceDriver driver = context.getDriver();
        DriverEvent done;
        context.retain();
        try {
            done = DriverEvent.owned(context, driver.recordEvent(queue.value));
        } catch (Throwable e) {
            context.release();
            DeferredRelease.afterWait(() -> driver.synchronize(queue.value), memory, queue::releaseUse);
            return;
        }
        DeferredRelease.after(done, memory);
        queue.releaseUse();
    }
}
