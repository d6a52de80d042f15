package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.DeviceResources;
import java.util.concurrent.atomic.AtomicBoolean;

/** A queue of a driver: one that we created, the default queue, or a foreign one. */
final class DriverQueue implements DeviceQueue {
    private final DriverContext context;
    private final NativeQueue nativeQueue;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Wraps a queue. If it is owned, takes over one reference to the context. */
    DriverQueue(DriverContext context, long handle, boolean owned) {
        this.context = context;
        this.nativeQueue = new NativeQueue(handle);
        this.owned = owned;
        if (owned) {
            DeviceResources.QUEUES.increment();
        }
    }

    private DriverQueue(DriverContext context, NativeQueue shared) {
        this.context = context;
        this.nativeQueue = shared;
        this.owned = true;
    }

    DriverContext context() {
        return context;
    }

    /** Keeps the queue from being destroyed, and the device from being closed, until {@link NativeQueue#releaseUse}. */
    NativeQueue retainOpen(String operation) {
        boolean kept = owned ? !closed.get() && nativeQueue.tryRetain() : context.tryRetain();
        if (!kept) {
            throw new IllegalStateException(
                    operation + ": the " + (owned ? "queue" : "runtime of " + getDevice()) + " has been closed");
        }
        return nativeQueue;
    }

    @Override
    public Device getDevice() {
        return context.getDriver().device();
    }

    @Override
    public long getHandle() {
        return nativeQueue.value;
    }

    @Override
    public void synchronize() {
        NativeQueue queue = retainOpen("synchronize");
        try {
            context.getDriver().synchronize(queue.value);
        } finally {
            queue.releaseUse();
        }
    }

    @Override
    public DeviceQueue share() {
        return owned ? new DriverQueue(context, retainOpen("share")) : this;
    }

    @Override
    public void close() {
        if (owned && closed.compareAndSet(false, true)) {
            nativeQueue.release();
        }
    }

    @Override
    public String toString() {
        return "queue 0x" + Long.toHexString(nativeQueue.value) + " of " + getDevice();
    }

    /** The native queue. */
    final class NativeQueue extends ReferenceCounted {
        final long value;

        private NativeQueue(long value) {
            this.value = value;
        }

        /** Ends a {@link DriverQueue#retainOpen}. */
        void releaseUse() {
            if (owned) {
                release();
            } else {
                context.release();
            }
        }

        @Override
        protected void free() {
            context.freeNative(() -> context.getDriver().destroyQueue(value), () -> {
                DeviceResources.QUEUES.decrement();
                context.release();
            });
        }
    }
}
