package dev.arrowdevice.exchange;

import dev.arrowdevice.memory.Device;
import dev.arrowdevice.memory.DeviceEvent;
import dev.arrowdevice.memory.Devices;

/**
 * The {@code sync_event} of an imported array. It is carried even for a device whose runtime we lack; only waiting needs
 * the runtime. The producer destroys it when the array is released.
 */
final class ForeignEvent implements DeviceEvent {
    private final Device device;
    private final long syncEvent;

    ForeignEvent(Device device, long syncEvent) {
        this.device = device;
        this.syncEvent = syncEvent;
    }

    private DeviceEvent event() {
        return Devices.runtime(device).importEvent(syncEvent);
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public boolean isComplete() {
        return event().isComplete();
    }

    @Override
    public void await() {
        event().await();
    }

    @Override
    public void whenComplete(Runnable action) {
        event().whenComplete(action);
    }

    @Override
    public long syncEvent() {
        return syncEvent;
    }

    @Override
    public void close() {}
}
