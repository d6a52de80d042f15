package dev.arrowdevice.internal.owners;

import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.ReferenceCounted;

/** Makes an event part of an array's memory: the last owner closes it. */
public final class EventOwner extends ReferenceCounted {
    private final DeviceEvent event;

    /** Takes over an event. */
    public EventOwner(DeviceEvent event) {
        this.event = event;
    }

    @Override
    protected void free() {
        event.close();
    }
}
