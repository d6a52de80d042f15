package dev.arrowdevice.exchange;

import dev.arrowdevice.abi.Exported;
import dev.arrowdevice.abi.Exports;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * How much crossed the boundary and what of it is still out. Always on; a figure is exact once the threads that exchange
 * have finished.
 *
 * @param exportedArrays arrays handed out so far; an array counts once, with all its children
 * @param importedArrays arrays taken in so far
 * @param exportedStreams streams handed out so far
 * @param importedStreams streams taken in so far
 * @param unreleasedExports arrays and streams that foreign consumers have not released
 * @param unreleasedImports arrays and streams that were taken in and not closed
 */
public record ExchangeCounters(
        long exportedArrays,
        long importedArrays,
        long exportedStreams,
        long importedStreams,
        long unreleasedExports,
        long unreleasedImports) {
    private static final LongAdder EXPORTED_ARRAYS = new LongAdder();
    private static final LongAdder IMPORTED_ARRAYS = new LongAdder();
    private static final LongAdder EXPORTED_STREAMS = new LongAdder();
    private static final LongAdder IMPORTED_STREAMS = new LongAdder();
    private static final LongAdder RELEASED_EXPORTS = new LongAdder();
    private static final LongAdder RELEASED_IMPORTS = new LongAdder();

    static {
        // A release callback that a foreign runtime calls after the JVM is gone crashes the process.
        Thread report = new Thread(ExchangeCounters::reportAtShutdown, "arrow-device-shutdown");
        try {
            Runtime.getRuntime().addShutdownHook(report);
        } catch (IllegalStateException e) {
            // The JVM is shutting down already: too late to say what the first exchange leaves behind.
        }
    }

    /** The figures now. */
    public static ExchangeCounters now() {
        // Releases first, so that a concurrent export is never counted as released before it was counted at all.
        long releasedExports = RELEASED_EXPORTS.sum();
        long releasedImports = RELEASED_IMPORTS.sum();
        long exportedArrays = EXPORTED_ARRAYS.sum();
        long importedArrays = IMPORTED_ARRAYS.sum();
        long exportedStreams = EXPORTED_STREAMS.sum();
        long importedStreams = IMPORTED_STREAMS.sum();
        return new ExchangeCounters(
                exportedArrays,
                importedArrays,
                exportedStreams,
                importedStreams,
                exportedArrays + exportedStreams - releasedExports,
                importedArrays + importedStreams - releasedImports);
    }

    /** Arrays handed out and taken in so far. */
    public long exchangedArrays() {
        return exportedArrays + importedArrays;
    }

    /** All that is still out: unreleased exports and imports. */
    public long unreleased() {
        return unreleasedExports + unreleasedImports;
    }

    static void arrayExported() {
        EXPORTED_ARRAYS.increment();
    }

    static void arrayImported() {
        IMPORTED_ARRAYS.increment();
    }

    static void streamExported() {
        EXPORTED_STREAMS.increment();
    }

    static void streamImported() {
        IMPORTED_STREAMS.increment();
    }

    static void exportReleased() {
        RELEASED_EXPORTS.increment();
    }

    static void importReleased() {
        RELEASED_IMPORTS.increment();
    }

    /** Other hooks run at the same time and may be what releases: they get a second for it. */
    private static void reportAtShutdown() {
        long deadline = System.nanoTime() + 1_000_000_000L;
        long outstanding = now().unreleasedExports();
        while (outstanding > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000L);
            outstanding = now().unreleasedExports();
        }
        if (outstanding > 0) {
            System.err.println("arrow-device: " + outstanding + " exported arrays and streams are not released at JVM"
                    + " shutdown; their consumers must not release them from now on");
            for (Exported export : Exports.live()) {
                Throwable allocation = export.allocation();
                if (allocation != null) {
                    allocation.printStackTrace();
                }
            }
        }
    }
}
