package dev.arrowdevice.internal.diagnostics;

import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Tells {@link System.Logger}. */
@NotOnAndroid
final class SystemLog {
    private SystemLog() {}

    static void tell(String name, boolean error, String message, @Nullable Throwable cause) {
        System.Logger logger = System.getLogger(name);
        if ("java.logging".equals(logger.getClass().getModule().getName()) && JavaLogging.hasNoHandler(name)) {
            Log.print(message, cause);
            return;
        }
        logger.log(error ? System.Logger.Level.ERROR : System.Logger.Level.WARNING, message, cause);
    }

    /**
     * {@code java.util.logging} takes all handlers away when the JVM ends, in a shutdown hook that runs beside ours. What it
     * is told afterwards would be lost. A class of its own, because a Java may lack that module.
     */
    private static final class JavaLogging {
        private JavaLogging() {}

        static boolean hasNoHandler(String name) {
            for (Logger logger = Logger.getLogger(name); logger != null; logger = logger.getParent()) {
                if (logger.getHandlers().length > 0) {
                    return false;
                }
                if (!logger.getUseParentHandlers()) {
                    return false; // Somebody wants silence here.
                }
            }
            return true;
        }
    }
}
