package dev.arrowdevice.internal.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * Events of Java Flight Recorder, where it exists: Android has none, and a runtime image may be made without its module.
 * An event costs some nanoseconds while nothing is recorded. No method throws: who calls them has worse to tell.
 */
public final class Flight {
    /** Whether the classes of Flight Recorder are there. */
    public static final boolean IS_AVAILABLE = isAvailable();

    private Flight() {}

    /**
     * An owner was never closed.
     *
     * @param owner what it was
     * @param allocation where it was made, if stacks are captured
     */
    public static void leak(String owner, @Nullable Throwable allocation) {
        try {
            if (IS_AVAILABLE) {
                FlightEvents.leak(owner, allocation);
            }
        } catch (Throwable e) {
            // The recording does without.
        }
    }

    /** A release failed. */
    public static void lateFailure(Throwable failure) {
        try {
            if (IS_AVAILABLE) {
                FlightEvents.lateFailure(failure);
            }
        } catch (Throwable e) {
            // The recording does without.
        }
    }

    /** The JVM ends while so many exports are in foreign hands. */
    public static void shutdown(long unreleasedExports) {
        try {
            if (IS_AVAILABLE) {
                FlightEvents.shutdown(unreleasedExports);
            }
        } catch (Throwable e) {
            // The recording does without.
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
