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
    private boolean deferred;

    /** Takes over one use of the queue, and one reference to the memory. */
    OrderedMemory(DriverContext context, DriverQueue.NativeQueue queue, ReferenceCounted memory) {
        this.context = context;
        this.queue = queue;
        this.memory = memory;
    }

    @Override
    protected void free() {
        context.freeNative(this::defer, () -> {
            queue.releaseUse();
            if (!deferred) {
                memory.release();
            }
        });
    }

    private void defer() {
        DriverEvent done;
        context.retain();
        try {
            done = DriverEvent.owned(context, context.getDriver().recordEvent(queue.value));
        } catch (RuntimeException e) {
            context.release();
            context.getDriver().synchronize(queue.value);
            return;
        }
        deferred = true;
        DeferredRelease.after(done, memory);
    }
}
