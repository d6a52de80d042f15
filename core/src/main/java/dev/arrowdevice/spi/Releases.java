package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceEvent;
import dev.arrowdevice.internal.memory.DeferredRelease;

/** Releases that come later than the last owner's {@code close}. May be called from any thread. */
public final class Releases {
    private Releases() {}

    /**
     * Gives a reference back once an event has completed, or its work has failed, and closes the event: at once if it has, else
     * later on another thread. Never throws.
     *
     * @param event is handed over
     * @param owner the caller's reference is handed over
     */
    public static void after(DeviceEvent event, ReferenceCounted owner) {
        DeferredRelease.after(event, owner);
    }
}
