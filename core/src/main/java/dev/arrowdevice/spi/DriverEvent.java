package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.memory.DeviceResources;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An event of a driver: one that we recorded, or a foreign one. */
final class DriverEvent implements DeviceEvent {
    private final DriverContext context;
    private final NativeEvent nativeEvent;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DriverEvent(DriverContext context, NativeEvent nativeEvent, boolean owned) {
        this.context = context;
        this.nativeEvent = nativeEvent;
        this.owned = owned;
    }

    /** Takes over an event, and one reference to the context. */
    static DriverEvent owned(DriverContext context, long event) {
        DeviceResources.EVENTS.increment();
        return new DriverEvent(context, new NativeEvent(context, event, 0, true), true);
    }

    /** Wraps a foreign event that is known by its handle. Takes over one reference to the context. */
    static DriverEvent ofHandle(DriverContext context, long event) {
        DeviceResources.EVENTS.increment();
        NativeEvent nativeEvent = new NativeEvent(context, event, 0, true);
        nativeEvent.destroys = false;
        return new DriverEvent(context, nativeEvent, true);
    }

    /** Wraps a foreign event. */
    static DriverEvent foreign(DriverContext context, long syncEvent) {
        long event = context.getDriver().isSyncEventPointerToHandle() ? RawMemory.getLong(syncEvent) : syncEvent;
        return new DriverEvent(context, new NativeEvent(context, event, syncEvent, false), false);
    }

    /** The event as a driver of this type can wait for it; null if it can't. */
    static @Nullable DriverEvent of(DriverContext context, DeviceEvent event) {
        if (!isOf(context.getDriver(), event.getDevice())) {
            return null;
        }
        if (event instanceof DriverEvent) {
            return (DriverEvent) event;
        }
        long syncEvent = event.getSyncEvent();
        return syncEvent == 0 ? null : foreign(context, syncEvent);
    }

    /** Whether a device is of this driver, whatever kind of memory it stands for, as it does for an imported array. */
    private static boolean isOf(DeviceDriver driver, Device device) {
        int type = driver.device().type();
        if (device.type() == type) {
            return true;
        }
        DeviceRuntime runtime = device.isCpu() ? null : Devices.find(device);
        return runtime instanceof DriverRuntime
                && ((DriverRuntime) runtime).getDriver().device().type() == type;
    }

    /** Keeps the event from being destroyed, and the device from being closed, until {@link NativeEvent#releaseUse}. */
    NativeEvent retainOpen(String operation) {
        boolean kept = owned ? !closed.get() && nativeEvent.tryRetain() : context.tryRetain();
        if (!kept) {
            throw new IllegalStateException(
                    operation + ": the " + (owned ? "event" : "runtime of " + getDevice()) + " has been closed");
        }
        return nativeEvent;
    }

    @Override
    public Device getDevice() {
        return context.getDriver().device();
    }

    @Override
    public boolean isComplete() {
        NativeEvent event = retainOpen("isComplete");
        try {
            return context.getDriver().isComplete(event.value);
        } finally {
            event.releaseUse();
        }
    }

    @Override
    public void await() {
        NativeEvent event = retainOpen("await");
        try {
            context.getDriver().await(event.value);
        } finally {
            event.releaseUse();
        }
    }

    @Override
    public void whenComplete(Runnable action) {
        NativeEvent event = retainOpen("whenComplete");
        try {
            if (!context.getDriver().isComplete(event.value)) {
                context.callWhenComplete(event, action);
                return;
            }
        } finally {
            event.releaseUse();
        }
        action.run();
    }

    @Override
    public long getSyncEvent() {
        NativeEvent event = retainOpen("syncEvent");
        try {
            return event.syncEvent();
        } finally {
            event.releaseUse();
        }
    }

    @Override
    public void close() {
        if (owned && closed.compareAndSet(false, true)) {
            nativeEvent.release();
        }
    }

    /** The native event. */
    static final class NativeEvent extends ReferenceCounted {
        final long value;
        private final DriverContext context;
        private final boolean owned;
        private boolean destroys = true;
        private long pointer;

        private NativeEvent(DriverContext context, long value, long pointer, boolean owned) {
            this.context = context;
            this.value = value;
            this.pointer = pointer;
            this.owned = owned;
        }

        /** Adds one more use. */
        void retainUse() {
            if (owned) {
                retain();
            } else {
                context.retain();
            }
        }

        /** Ends a {@link DriverEvent#retainOpen}. */
        void releaseUse() {
            if (owned) {
                release();
            } else {
                context.release();
            }
        }

        @Override
        public String toString() {
            return "event 0x" + Long.toHexString(value);
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
            context.freeNative(destroy, () -> {
                if (pointer != 0) {
                    CHeap.free(pointer);
                }
                DeviceResources.EVENTS.decrement();
                context.release();
            });
        }
    }
}
