package dev.arrowdevice.internal.diagnostics;

import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reports to {@link System.Logger}. */
@NotOnAndroid
final class SystemLog {
    private SystemLog() {}

    static void report(String name, boolean error, String message, @Nullable Throwable cause) {
        System.Logger logger = System.getLogger(name);
        if ("java.logging".equals(logger.getClass().getModule().getName()) && JavaLogging.hasNoHandler(name)) {
            Log.print(message, cause);
            return;
        }
        logger.log(error ? System.Logger.Level.ERROR : System.Logger.Level.WARNING, message, cause);
    }

    /**
     * {@code java.util.logging} removes all handlers when the JVM ends, in a shutdown hook that runs beside ours. It
     * would lose messages after that. This is a class of its own, because a Java may lack that module.
     */
    private static final class JavaLogging {
        private JavaLogging() {}

        static boolean hasNoHandler(String name) {
            for (Logger logger = Logger.getLogger(name); logger != null; logger = logger.getParent()) {
                if (logger.getHandlers().length > 0) {
                    return false;
                }
                if (!logger.getUseParentHandlers()) {
                    return false; // The configuration asks for silence.
                }
            }
            return true;
        }
    }
}
