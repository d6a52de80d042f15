package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.memory.DeviceResources;
import java.util.concurrent.atomic.AtomicBoolean;

/** An event of a driver: one that we recorded, or a foreign one. */
final class DriverEvent implements DeviceEvent {
    private final DriverContext context;
    private final Handle handle;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DriverEvent(DriverContext context, Handle handle, boolean owned) {
        this.context = context;
        this.handle = handle;
        this.owned = owned;
    }

    /** Takes over an event and a reference to the context. */
    static DriverEvent owned(DriverContext context, long event) {
        DeviceResources.EVENTS.increment();
        return new DriverEvent(context, new Handle(context, event, 0, true), true);
    }

    /** Wraps the event of somebody else, of which only the handle is known; takes over a reference to the context. */
    static DriverEvent ofHandle(DriverContext context, long event) {
        DeviceResources.EVENTS.increment();
        Handle handle = new Handle(context, event, 0, true);
        handle.destroys = false;
        return new DriverEvent(context, handle, true);
    }

    /** Wraps the event of somebody else. */
    static DriverEvent foreign(DriverContext context, long syncEvent) {
        long event = context.getDriver().isSyncEventPointerToHandle() ? RawMemory.getLong(syncEvent) : syncEvent;
        return new DriverEvent(context, new Handle(context, event, syncEvent, false), false);
    }

    /** Keeps the event from being destroyed, and the device from being given back, until {@link Handle#drop}. */
    Handle hold(String operation) {
        boolean kept = owned ? !closed.get() && handle.tryRetain() : context.tryRetain();
        if (!kept) {
            throw new IllegalStateException(
                    operation + ": the " + (owned ? "event" : "runtime of " + getDevice()) + " has been closed");
        }
        return handle;
    }

    @Override
    public Device getDevice() {
        return context.getDriver().device();
    }

    @Override
    public boolean isComplete() {
        Handle held = hold("isComplete");
        try {
            return context.getDriver().isComplete(held.value);
        } finally {
            held.drop();
        }
    }

    @Override
    public void await() {
        Handle held = hold("await");
        try {
            context.getDriver().await(held.value);
        } finally {
            held.drop();
        }
    }

    @Override
    public void whenComplete(Runnable action) {
        Handle held = hold("whenComplete");
        try {
            if (!context.getDriver().isComplete(held.value)) {
                context.callWhenComplete(held, action);
                return;
            }
        } finally {
            held.drop();
        }
        action.run();
    }

    @Override
    public long getSyncEvent() {
        Handle held = hold("syncEvent");
        try {
            return held.syncEvent();
        } finally {
            held.drop();
        }
    }

    @Override
    public void close() {
        if (owned && closed.compareAndSet(false, true)) {
            handle.release();
        }
    }

    /** The native event. */
    static final class Handle extends ReferenceCounted {
        final long value;
        private final DriverContext context;
        private final boolean owned;
        private boolean destroys = true;
        private long pointer;

        private Handle(DriverContext context, long value, long pointer, boolean owned) {
            this.context = context;
            this.value = value;
            this.pointer = pointer;
            this.owned = owned;
        }

        /** One more hold. */
        void keep() {
            if (owned) {
                retain();
            } else {
                context.retain();
            }
        }

        /** Ends a {@link DriverEvent#hold}. */
        void drop() {
            if (owned) {
                release();
            } else {
                context.release();
            }
        }

        private synchronized long syncEvent() {
            if (pointer == 0) {
                if (!context.getDriver().isSyncEventPointerToHandle()) {
                    return value;
                }
                pointer = CHeap.allocate(Long.BYTES);
                RawMemory.putLong(pointer, value);
            }
            return pointer;
        }

        @Override
        protected void free() {
            Runnable destroy = destroys ? () -> context.getDriver().destroyEvent(value) : () -> {};
            context.giveBack(destroy, () -> {
                if (pointer != 0) {
                    CHeap.free(pointer);
                }
                DeviceResources.EVENTS.decrement();
                context.release();
            });
        }
    }
}
