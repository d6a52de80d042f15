package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.DeviceResources;
import java.util.concurrent.atomic.AtomicBoolean;

/** A queue of a driver: one of our own, the default one, or a foreign one. */
final class DriverQueue implements DeviceQueue {
    private final DriverContext context;
    private final Handle handle;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Wraps a queue; an owned one takes over a reference to the context. */
    DriverQueue(DriverContext context, long handle, boolean owned) {
        this.context = context;
        this.handle = new Handle(handle);
        this.owned = owned;
        if (owned) {
            DeviceResources.QUEUES.increment();
        }
    }

    private DriverQueue(DriverContext context, Handle shared) {
        this.context = context;
        this.handle = shared;
        this.owned = true;
    }

    DriverContext context() {
        return context;
    }

    /** Keeps the queue from being destroyed, and the device from being given back, until {@link Handle#drop}. */
    Handle hold(String operation) {
        boolean kept = owned ? !closed.get() && handle.tryRetain() : context.tryRetain();
        if (!kept) {
            throw new IllegalStateException(
                    operation + ": the " + (owned ? "queue" : "runtime of " + getDevice()) + " has been closed");
        }
        return handle;
    }

    @Override
    public Device getDevice() {
        return context.getDriver().device();
    }

    @Override
    public long getHandle() {
        return handle.value;
    }

    @Override
    public void synchronize() {
        Handle held = hold("synchronize");
        try {
            context.getDriver().synchronize(held.value);
        } finally {
            held.drop();
        }
    }

    @Override
    public DeviceQueue share() {
        return owned ? new DriverQueue(context, hold("share")) : this;
    }

    @Override
    public void close() {
        if (owned && closed.compareAndSet(false, true)) {
            handle.release();
        }
    }

    @Override
    public String toString() {
        return "queue 0x" + Long.toHexString(handle.value) + " of " + getDevice();
    }

    /** The native queue. */
    final class Handle extends ReferenceCounted {
        final long value;

        private Handle(long value) {
            this.value = value;
        }

        /** Ends a {@link DriverQueue#hold}. */
        void drop() {
            if (owned) {
                release();
            } else {
                context.release();
            }
        }

        @Override
        protected void free() {
            context.giveBack(() -> context.getDriver().destroyQueue(value), () -> {
                DeviceResources.QUEUES.decrement();
                context.release();
            });
        }
    }
}
