package dev.arrowdevice.internal.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * Events of Java Flight Recorder, if it exists: Android has none, and a runtime image may lack its module. An event
 * costs some nanoseconds while nothing is recorded. No method throws, because the callers report something worse.
 */
public final class Flight {
    /** Whether the classes of Flight Recorder exist. */
    public static final boolean IS_AVAILABLE = isAvailable();

    private Flight() {}

    /**
     * Records an owner that was never closed.
     *
     * @param owner the description of the owner
     * @param allocation the stack of its maker, if stacks are captured
     */
    public static void leak(String owner, @Nullable Throwable allocation) {
        try {
            if (IS_AVAILABLE) {
                FlightEvents.leak(owner, allocation);
            }
        } catch (Throwable e) {
            // The recording does without the event.
        }
    }

    /** Records a release that failed. */
    public static void lateFailure(Throwable failure) {
        try {
            if (IS_AVAILABLE) {
                FlightEvents.lateFailure(failure);
            }
        } catch (Throwable e) {
            // The recording does without the event.
        }
    }

    /** Records the number of outstanding exports when the JVM ends. */
    public static void shutdown(long unreleasedExports) {
        try {
            if (IS_AVAILABLE) {
                FlightEvents.shutdown(unreleasedExports);
            }
        } catch (Throwable e) {
            // The recording does without the event.
        }
    }

    private static boolean isAvailable() {
        try {
            Class.forName("jdk.jfr.Event", false, Flight.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
