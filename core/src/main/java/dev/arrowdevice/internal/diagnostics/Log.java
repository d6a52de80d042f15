package dev.arrowdevice.internal.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * The loggers, by what they tell of: {@link System.Logger}, and standard error on Android, which has none. Telling never
 * throws, because many who tell are callbacks of foreign code or run while an error is thrown already.
 */
public enum Log {
    /** Owners that were never closed. */
    LEAKS("dev.arrowdevice.leaks", false),
    /** Failures of releases, which never throw. */
    RELEASES("dev.arrowdevice.releases", false),
    /** Exceptions that would have left a callback. */
    CALLBACKS("dev.arrowdevice.callbacks", true),
    /** What is still in foreign hands when the JVM ends. */
    SHUTDOWN("dev.arrowdevice.shutdown", false);

    /** Android has no {@link System.Logger}, and says that it is Java 0.9. Every Java that we run on has it. */
    private static final boolean HAS_SYSTEM_LOGGER =
            !System.getProperty("java.specification.version", "").startsWith("0.");

    private final String loggerName;
    private final boolean error;

    Log(String loggerName, boolean error) {
        this.loggerName = loggerName;
        this.error = error;
    }

    /** Tells what happened. */
    public void tell(String message) {
        tell(message, null);
    }

    /**
     * Tells what happened.
     *
     * @param cause the exception, or the stack of who made what the message is about
     */
    public void tell(String message, @Nullable Throwable cause) {
        try {
            if (HAS_SYSTEM_LOGGER) {
                SystemLog.tell(loggerName, error, message, cause);
            } else {
                print(message, cause);
            }
        } catch (Throwable e) {
            // The logger failed. The caller must go on.
        }
    }

    /** Prints where there is no logger. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    static void print(String message, @Nullable Throwable cause) {
        System.err.println("arrow-device: " + message);
        if (cause != null) {
            cause.printStackTrace();
        }
    }
}
