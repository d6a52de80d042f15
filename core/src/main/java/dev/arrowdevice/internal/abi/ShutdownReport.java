package dev.arrowdevice.internal.abi;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Says at the end of the JVM what is still in foreign hands: a release callback that is called after that crashes the
 * process.
 */
public final class ShutdownReport {
    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ShutdownReport::print, "arrow-device-shutdown"));
        } catch (IllegalStateException e) {
            // The JVM is shutting down already: too late to say what the first export leaves behind.
        }
    }

    private ShutdownReport() {}

    /** Makes sure that the report will be given; to be called before the first export. */
    public static void install() {
        // The class is initialised now, and that is all.
    }

    /** Other hooks run at the same time and may be what releases: they get a second for it. */
    private static void print() {
        long deadline = System.nanoTime() + 1_000_000_000L;
        List<Exported> live = Exports.callable();
        while (!live.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000L);
            live = Exports.callable();
        }
        if (live.isEmpty()) {
            return;
        }
        System.err.println("arrow-device: " + live.size() + " exported arrays and streams are not released at JVM"
                + " shutdown; whoever has them must not call or release them from now on");
        for (Exported export : live) {
            Throwable allocation = export.allocation();
            if (allocation != null) {
                allocation.printStackTrace();
            }
        }
    }
}
