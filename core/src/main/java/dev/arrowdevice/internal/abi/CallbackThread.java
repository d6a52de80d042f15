package dev.arrowdevice.internal.abi;

/** Marks threads that a device's driver has called us on: the driver must not be called there. */
public final class CallbackThread {
    private static final ThreadLocal<Boolean> CURRENT = new ThreadLocal<>();

    private CallbackThread() {}

    /** Whether the calling thread is within {@link #run}. */
    public static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    /** Runs an action that a driver calls back. */
    public static void run(Runnable action) {
        if (isCurrent()) {
            action.run();
            return;
        }
        CURRENT.set(true);
        try {
            action.run();
        } finally {
            CURRENT.remove();
        }
    }
}
