package dev.arrowdevice;

import dev.arrowdevice.internal.abi.Imports;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.memory.DeviceResources;
import dev.arrowdevice.internal.memory.HostAllocation;
import dev.arrowdevice.internal.memory.LateFailures;
import dev.arrowdevice.internal.memory.Leaks;

/**
 * Counts what this process has exchanged, and the memory and the objects of devices that it has at one moment. Always
 * on. Each figure is exact once the threads that exchange, allocate and release have finished.
 *
 * <p>Flight Recorder records the same figures as the event {@code dev.arrowdevice.Counters}.
 *
 * @param exportedArrays arrays and DLPack tensors exported so far; an array with its children counts once
 * @param importedArrays arrays and DLPack tensors imported so far
 * @param exportedStreams streams exported so far
 * @param importedStreams streams imported so far
 * @param exportedSchemas schemas and fields exported so far; one with its children counts once
 * @param unreleasedExports arrays, streams and async tasks that foreign consumers have not released
 * @param unreleasedImports arrays and streams that were imported and not closed
 * @param unreleasedSchemas exported schemas and fields that foreign consumers have not released, or not in all parts
 * @param hostBuffers buffers of host memory that the SDK has allocated and not freed
 * @param hostBytes the bytes that are reserved for them, padding included. A builder reserves more than it fills when it
 *     grows, and its arrays keep that; pages that nothing was written to take no room in the machine's memory
 * @param hostUsedBytes of these bytes, those that are filled, padding included. The memory of a builder counts as filled
 *     until it finishes
 * @param deviceBuffers buffers of device, pinned and managed memory that are allocated and not freed
 * @param deviceBytes their bytes
 * @param deviceQueues queues that are not closed, without those that a runtime keeps for itself
 * @param deviceEvents events that are not closed
 * @param pendingReleases releases that wait for the work of a device, or for the thread that runs them
 * @param leaks owners that the garbage collector has found and that were never closed
 * @param lateFailures releases that have failed so far
 */
public record ArrowCounters(
        long exportedArrays,
        long importedArrays,
        long exportedStreams,
        long importedStreams,
        long exportedSchemas,
        long unreleasedExports,
        long unreleasedImports,
        long unreleasedSchemas,
        long hostBuffers,
        long hostBytes,
        long hostUsedBytes,
        long deviceBuffers,
        long deviceBytes,
        long deviceQueues,
        long deviceEvents,
        long pendingReleases,
        long leaks,
        long lateFailures) {
    /** Reads all figures now. */
    public static ArrowCounters now() {
        // Releases first, so that no concurrent import is counted as released before it is counted as imported.
        long releasedStreams = Imports.RELEASED_STREAMS.sum();
        long importedStreams = Imports.STREAMS.sum();
        long releasedSchemas = OutstandingExports.RELEASED_SCHEMAS.sum();
        long exportedSchemas = OutstandingExports.SCHEMAS.sum();
        return new ArrowCounters(
                OutstandingExports.ARRAYS.added() + OutstandingExports.TENSORS.added(),
                Imports.ARRAYS.added(),
                OutstandingExports.STREAMS.added() + OutstandingExports.PRODUCERS.added(),
                importedStreams,
                exportedSchemas,
                OutstandingExports.size(),
                Imports.ARRAYS.size() + importedStreams - releasedStreams,
                exportedSchemas - releasedSchemas,
                HostAllocation.liveBuffers(),
                HostAllocation.liveBytes(),
                HostAllocation.usedBytes(),
                DeviceResources.BUFFERS.sum(),
                DeviceResources.BYTES.sum(),
                DeviceResources.QUEUES.sum(),
                DeviceResources.EVENTS.sum(),
                DeferredRelease.pending(),
                Leaks.found(),
                LateFailures.found());
    }

    /** Arrays exported and imported so far. */
    public long exchangedArrays() {
        return exportedArrays + importedArrays;
    }

    /** Exports that are not released, also of schemas, and imports that are not closed. */
    public long unreleased() {
        return unreleasedExports + unreleasedImports + unreleasedSchemas;
    }

    /** The differences between this snapshot and an earlier one; {@code now - before} in Kotlin. */
    public ArrowCounters minus(ArrowCounters before) {
        return new ArrowCounters(
                exportedArrays - before.exportedArrays,
                importedArrays - before.importedArrays,
                exportedStreams - before.exportedStreams,
                importedStreams - before.importedStreams,
                exportedSchemas - before.exportedSchemas,
                unreleasedExports - before.unreleasedExports,
                unreleasedImports - before.unreleasedImports,
                unreleasedSchemas - before.unreleasedSchemas,
                hostBuffers - before.hostBuffers,
                hostBytes - before.hostBytes,
                hostUsedBytes - before.hostUsedBytes,
                deviceBuffers - before.deviceBuffers,
                deviceBytes - before.deviceBytes,
                deviceQueues - before.deviceQueues,
                deviceEvents - before.deviceEvents,
                pendingReleases - before.pendingReleases,
                leaks - before.leaks,
                lateFailures - before.lateFailures);
    }
}
