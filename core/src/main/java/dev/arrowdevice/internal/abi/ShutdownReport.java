package dev.arrowdevice.internal.abi;

import dev.arrowdevice.internal.diagnostics.Flight;
import dev.arrowdevice.internal.diagnostics.Log;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Says at the end of the JVM what is still in foreign hands: a release callback that is called after that crashes the
 * process.
 */
public final class ShutdownReport {
    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ShutdownReport::tell, "arrow-device-shutdown"));
        } catch (IllegalStateException e) {
            // The JVM is shutting down already: too late to say what the first export leaves behind.
        }
    }

    private ShutdownReport() {}

    /** Makes sure that the report will be given; to be called before the first export. */
    public static void install() {
        // The class is initialised now, and that is all.
    }

    /**
     * Other hooks run at the same time. Flight Recorder's writes the recording, so its event comes at once. Others may
     * release, and get a second for it before the message.
     */
    private static void tell() {
        List<Exported> live = Exports.callable();
        if (!live.isEmpty()) {
            Flight.shutdown(live.size());
        }
        long deadline = System.nanoTime() + 1_000_000_000L;
        while (!live.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000L);
            live = Exports.callable();
        }
        if (live.isEmpty()) {
            return;
        }
        StringBuilder message = new StringBuilder()
                .append(live.size())
                .append(
                        " exported arrays and streams are not released at JVM shutdown; whoever has them must not call or")
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
        Log.SHUTDOWN.tell(message.toString());
    }
}
