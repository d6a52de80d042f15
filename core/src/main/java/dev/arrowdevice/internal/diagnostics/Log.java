package dev.arrowdevice.internal.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * The loggers, by subject. They report to {@link System.Logger}, or to standard error on Android, which has none.
 * Reporting never throws, because it happens in callbacks of foreign code, and while an exception is thrown already.
 */
public enum Log {
    /** Owners that were never closed. */
    LEAKS("dev.arrowdevice.leaks", false),
    /** Failures of releases, which never throw. */
    RELEASES("dev.arrowdevice.releases", false),
    /** Exceptions that must not leave a callback. */
    CALLBACKS("dev.arrowdevice.callbacks", true),
    /** Outstanding exports when the JVM ends. */
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

    /** Reports a message. */
    public void report(String message) {
        report(message, null);
    }

    /**
     * Reports a message.
     *
     * @param cause the exception, or the stack of the maker of what the message is about
     */
    public void report(String message, @Nullable Throwable cause) {
        try {
            if (HAS_SYSTEM_LOGGER) {
                SystemLog.report(loggerName, error, message, cause);
            } else {
                print(message, cause);
            }
        } catch (Throwable e) {
            // The logger failed. The caller must continue.
        }
    }

    /** Prints the message if there is no logger. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    static void print(String message, @Nullable Throwable cause) {
        System.err.println("arrow-device: " + message);
        if (cause != null) {
            cause.printStackTrace();
        }
    }
}
