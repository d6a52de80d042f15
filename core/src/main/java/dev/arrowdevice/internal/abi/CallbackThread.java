package dev.arrowdevice.internal.abi;

/** Marks threads on which a device's driver calls us back. The driver must not be called on such a thread. */
public final class CallbackThread {
    private static final String OUR_NAMES = "arrow-device-";
    private static final ThreadLocal<Boolean> CURRENT = new ThreadLocal<>();

    private CallbackThread() {}

    /** Whether the calling thread is within {@link #run}. */
    public static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    /**
     * Whether native code has attached the calling thread to the JVM, as an upcall does. It may be a callback of a driver
     * that we have not asked for. Our own threads are none.
     */
    public static boolean isAttached() {
        Thread thread = Thread.currentThread();
        return thread.isDaemon()
                && thread.getContextClassLoader() == null
                && !thread.getName().startsWith(OUR_NAMES);
    }

    /** Runs an action on a thread on which a driver calls us back. */
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
