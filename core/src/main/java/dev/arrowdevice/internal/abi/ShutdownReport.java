package dev.arrowdevice.internal.abi;

import dev.arrowdevice.internal.diagnostics.Flight;
import dev.arrowdevice.internal.diagnostics.Log;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Reports the outstanding exports when the JVM ends. If a release callback is called after that, the process crashes.
 */
public final class ShutdownReport {
    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ShutdownReport::report, "arrow-device-shutdown"));
        } catch (IllegalStateException e) {
            // The JVM is shutting down already. It is too late for a report about the first export.
        }
    }

    private ShutdownReport() {}

    /** Ensures that the report will be made. Called before the first export. */
    public static void install() {
        // The call initialises the class, which is all that is needed.
    }

    /**
     * Other hooks run at the same time. One of them writes the recording of Flight Recorder, so its event comes first.
     * Others may release exports, and have a second for that before the message.
     */
    private static void report() {
        List<Exported> live = OutstandingExports.callable();
        if (!live.isEmpty()) {
            Flight.shutdown(live.size());
        }
        long deadline = System.nanoTime() + 1_000_000_000L;
        while (!live.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000L);
            live = OutstandingExports.callable();
        }
        if (live.isEmpty()) {
            return;
        }
        StringBuilder message = new StringBuilder()
                .append(live.size())
                .append(
                        " exported arrays and streams are not released at JVM shutdown; their consumers must not call or")
                .append(" release them from now on");
        for (Exported export : live) {
            Throwable allocation = export.allocation();
            if (allocation != null) {
                message.append("\nexported:");
                for (StackTraceElement frame : allocation.getStackTrace()) {
                    message.append("\n    at ").append(frame);
                }
            }
        }
        Log.SHUTDOWN.report(message.toString());
    }
}
