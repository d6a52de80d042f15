package dev.arrowdevice.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of live objects in a simulated driver.
 *
 * @param deviceAllocations allocations of device memory
 * @param deviceBytes their bytes
 * @param poolAllocations allocations of stream-ordered device memory; each counts until its stream has done the free
 * @param poolBytes their bytes
 * @param pinnedAllocations allocations of pinned host memory
 * @param pinnedBytes their bytes
 * @param managedAllocations allocations of managed memory
 * @param managedBytes their bytes
 * @param streams streams, without the default ones
 * @param events events
 * @param contextsRetained how often primary contexts are retained; 0 for HIP
 * @param contextsPushed contexts that threads have pushed and not popped; 0 for HIP
 * @param callbacksPending host functions that have not returned
 * @param queued operations that are queued or running
 * @param violations mistakes seen since {@link SimulatedDriver#forget}
 */
public record SimulatedDriverCounters(
        long deviceAllocations,
        long deviceBytes,
        long poolAllocations,
        long poolBytes,
        long pinnedAllocations,
        long pinnedBytes,
        long managedAllocations,
        long managedBytes,
        long streams,
        long events,
        long contextsRetained,
        long contextsPushed,
        long callbacksPending,
        long queued,
        long violations) {
    /**
     * What was not released since an earlier snapshot, and the mistakes made since. Retained contexts are left out: a
     * runtime keeps them for the life of the process.
     *
     * @param before the earlier snapshot
     * @return one sentence each; empty if there is nothing
     */
    public List<String> unbalancedSince(SimulatedDriverCounters before) {
        List<String> out = new ArrayList<>();
        add(out, deviceAllocations - before.deviceAllocations, "allocations of device memory");
        add(out, deviceBytes - before.deviceBytes, "bytes of device memory");
        add(out, poolAllocations - before.poolAllocations, "stream-ordered allocations");
        add(out, poolBytes - before.poolBytes, "stream-ordered bytes");
        add(out, pinnedAllocations - before.pinnedAllocations, "allocations of pinned memory");
        add(out, pinnedBytes - before.pinnedBytes, "bytes of pinned memory");
        add(out, managedAllocations - before.managedAllocations, "allocations of managed memory");
        add(out, managedBytes - before.managedBytes, "bytes of managed memory");
        add(out, streams - before.streams, "streams");
        add(out, events - before.events, "events");
        add(out, contextsPushed - before.contextsPushed, "pushed contexts");
        add(out, callbacksPending - before.callbacksPending, "host functions");
        add(out, queued - before.queued, "queued operations");
        if (violations != before.violations) {
            out.add((violations - before.violations) + " mistakes were made with the simulated driver");
        }
        return out;
    }

    private static void add(List<String> out, long difference, String what) {
        if (difference != 0) {
            out.add(difference + " " + what + " of the simulated driver are still live");
        }
    }
}
