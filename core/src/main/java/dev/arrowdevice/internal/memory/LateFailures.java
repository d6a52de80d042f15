package dev.arrowdevice.internal.memory;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.diagnostics.Flight;
import dev.arrowdevice.internal.diagnostics.Log;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** What becomes of failures that nobody can be told by an exception: those of a release, which never throws. */
public final class LateFailures {
    private static final LongAdder FOUND = new LongAdder();
    private static volatile Consumer<DeviceException> listener =
            failure -> Log.RELEASES.tell("while releasing: " + failure.getMessage());

    private LateFailures() {}

    /**
     * Who is told from now on of failures of devices, in place of the log.
     *
     * @return who was told before
     */
    public static synchronized Consumer<DeviceException> onFailure(Consumer<DeviceException> newListener) {
        Consumer<DeviceException> before = listener;
        listener = newListener;
        return before;
    }

    /** How many failures there were. */
    public static long found() {
        return FOUND.sum();
    }

    /** Runs a release; a failure is reported, not thrown: there is nothing left to be done about it. */
    public static void reporting(Runnable release) {
        try {
            release.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    /** Tells of a failure. One that is not the device's is a bug of somebody's, and the log gets it with its stack. */
    public static void report(Throwable failure) {
        FOUND.increment();
        Flight.lateFailure(failure);
        if (failure instanceof DeviceException) {
            try {
                listener.accept((DeviceException) failure);
            } catch (Throwable e) {
                Log.RELEASES.tell("the listener of late failures threw", e);
            }
        } else {
            Log.RELEASES.tell("while releasing", failure);
        }
    }
}
