package dev.arrowdevice.exchange;

import dev.arrowdevice.abi.Exports;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much crossed the boundary and what of it is still out. Always on; a figure is exact once the threads that exchange
 * have finished.
 *
 * @param exportedArrays arrays handed out so far; an array counts once, with all its children
 * @param importedArrays arrays taken in so far
 * @param exportedStreams streams handed out so far
 * @param importedStreams streams taken in so far
 * @param unreleasedExports arrays, streams and async tasks that foreign consumers have not released
 * @param unreleasedImports arrays and streams that were taken in and not closed
 */
public record ExchangeCounters(
        long exportedArrays,
        long importedArrays,
        long exportedStreams,
        long importedStreams,
        long unreleasedExports,
        long unreleasedImports) {
    private static final LongAdder IMPORTED_ARRAYS = new LongAdder();
    private static final LongAdder IMPORTED_STREAMS = new LongAdder();
    private static final LongAdder RELEASED_IMPORTS = new LongAdder();

    /** The figures now. */
    public static ExchangeCounters now() {
        // Releases first, so that a concurrent import is never counted as released before it was counted at all.
        long releasedImports = RELEASED_IMPORTS.sum();
        long exportedArrays = Exports.ARRAYS.added();
        long importedArrays = IMPORTED_ARRAYS.sum();
        long exportedStreams = Exports.STREAMS.added() + Exports.PRODUCERS.added();
        long importedStreams = IMPORTED_STREAMS.sum();
        return new ExchangeCounters(
                exportedArrays,
                importedArrays,
                exportedStreams,
                importedStreams,
                Exports.live().size(),
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

    static void arrayImported() {
        IMPORTED_ARRAYS.increment();
    }

    static void streamImported() {
        IMPORTED_STREAMS.increment();
    }

    static void importReleased() {
        RELEASED_IMPORTS.increment();
    }
}
