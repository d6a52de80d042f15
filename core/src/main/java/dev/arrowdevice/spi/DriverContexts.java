package dev.arrowdevice.spi;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The devices of a driver that are in use, each with one context that all of its runtimes share, so that a queue or an event
 * of one can be used with any other. Thread-safe.
 */
public final class DriverContexts {
    private final Map<Integer, DriverContext> contexts = new HashMap<>();

    /** Begins with none. */
    public DriverContexts() {}

    /**
     * A device's context, with a reference that the caller releases.
     *
     * @param ordinal the device
     * @param opener opens the device if it is not in use
     */
    public synchronized DriverContext retain(int ordinal, Supplier<? extends DeviceDriver> opener) {
        DriverContext known = contexts.get(ordinal);
        if (known != null && known.tryRetain()) {
            return known;
        }
        DriverContext opened = new DriverContext(opener.get());
        contexts.put(ordinal, opened);
        return opened;
    }
}
