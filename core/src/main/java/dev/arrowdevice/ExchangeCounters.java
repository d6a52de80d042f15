package dev.arrowdevice;

import dev.arrowdevice.internal.abi.Exports;
import dev.arrowdevice.internal.abi.Imports;

/**
 * How much crossed the boundary and what of it is still out. Always on; a figure is exact once the threads that exchange
 * have finished.
 *
 * @param exportedArrays arrays and DLPack tensors handed out so far; an array counts once, with all its children
 * @param importedArrays arrays and DLPack tensors taken in so far
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
    /** The figures now. */
    public static ExchangeCounters now() {
        // Releases first, so that a concurrent import is never counted as released before it was counted at all.
        long releasedStreams = Imports.RELEASED_STREAMS.sum();
        long exportedArrays = Exports.ARRAYS.added() + Exports.TENSORS.added();
        long importedArrays = Imports.ARRAYS.added();
        long exportedStreams = Exports.STREAMS.added() + Exports.PRODUCERS.added();
        long importedStreams = Imports.STREAMS.sum();
        return new ExchangeCounters(
                exportedArrays,
                importedArrays,
                exportedStreams,
                importedStreams,
                Exports.live().size(),
                Imports.ARRAYS.size() + importedStreams - releasedStreams);
    }

    /** Arrays handed out and taken in so far. */
    public long exchangedArrays() {
        return exportedArrays + importedArrays;
    }

    /** All that is still out: unreleased exports and imports. */
    public long unreleased() {
        return unreleasedExports + unreleasedImports;
    }
}
