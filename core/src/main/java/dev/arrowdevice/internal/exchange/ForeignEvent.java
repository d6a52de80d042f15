package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;

/**
 * The {@code sync_event} of an imported array. It is kept even if we lack the runtime of its device, because only
 * waiting needs the runtime. The producer destroys it when the array is released, so each use retains the array.
 */
public final class ForeignEvent implements DeviceEvent {
    private final Device device;
    private final long syncEvent;
    private final ReferenceCounted array;

    public ForeignEvent(Device device, long syncEvent, ReferenceCounted array) {
        this.device = device;
        this.syncEvent = syncEvent;
        this.array = array;
    }

    private void retain(String operation) {
        if (!array.tryRetain()) {
            throw new IllegalStateException(operation + ": the array of the event has been released");
        }
    }

    private DeviceEvent event() {
        return Devices.runtime(device).importEvent(syncEvent);
    }

    @Override
    public Device getDevice() {
        return device;
    }

    @Override
    public boolean isComplete() {
        retain("isComplete");
        try {
            return event().isComplete();
        } finally {
            array.release();
        }
    }

    @Override
    public void await() {
        retain("await");
        try {
            event().await();
        } finally {
            array.release();
        }
    }

    @Override
    public void whenComplete(Runnable action) {
        retain("whenComplete");
        try {
            event().whenComplete(() -> {
                try {
                    action.run();
                } finally {
                    DeferredRelease.execute(array::release); // A callback must not call the device.
                }
            });
        } catch (Throwable e) {
            array.release();
            throw e;
        }
    }

    @Override
    public long getSyncEvent() {
        return syncEvent;
    }

    @Override
    public void close() {}
}
