package dev.arrowdevice.internal.memory;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.diagnostics.Flight;
import dev.arrowdevice.internal.diagnostics.Log;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Reports failures that no caller can catch: those of releases, which never throw. */
public final class LateFailures {
    private static final LongAdder FOUND = new LongAdder();
    private static volatile Consumer<DeviceException> listener =
            failure -> Log.RELEASES.report("while releasing: " + failure.getMessage());

    private LateFailures() {}

    /**
     * Sets the listener for failures of devices, in place of the log.
     *
     * @return the previous listener
     */
    public static synchronized Consumer<DeviceException> onFailure(Consumer<DeviceException> newListener) {
        Consumer<DeviceException> before = listener;
        listener = newListener;
        return before;
    }

    /** The number of failures. */
    public static long found() {
        return FOUND.sum();
    }

    /** Runs a release. A failure is reported and not thrown, because no caller can do anything about it. */
    public static void reporting(Runnable release) {
        try {
            release.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /** Reports a failure. If it is not a failure of a device, it is a bug, and is logged with its stack. */
    public static void report(Throwable failure) {
        FOUND.increment();
        Flight.lateFailure(failure);
        if (failure instanceof DeviceException) {
            try {
                listener.accept((DeviceException) failure);
            } catch (Throwable e) {
                Log.RELEASES.report("the listener of late failures threw", e);
            }
        } else {
            Log.RELEASES.report("while releasing", failure);
        }
    }
}
