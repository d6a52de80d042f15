package dev.arrowdevice.array;

import dev.arrowdevice.memory.DeviceEvent;
import dev.arrowdevice.memory.ReferenceCounted;

/** Makes an event part of an array's memory: it is closed with the last owner. */
final class EventOwner extends ReferenceCounted {
    private final DeviceEvent event;

    /** Takes over an event. */
    EventOwner(DeviceEvent event) {
        this.event = event;
    }

    @Override
    protected void free() {
        event.close();
    }
}
