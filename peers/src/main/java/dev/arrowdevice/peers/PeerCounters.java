package dev.arrowdevice.peers;

import java.util.ArrayList;
import java.util.List;

/**
 * The counters of the C peer since it was loaded.
 *
 * @param produced base structures that were produced: schemas, arrays and streams
 * @param released base structures that were released through their callback
 * @param liveNodes schemas, arrays at any depth and streams that still own memory
 * @param liveBytes bytes of that memory
 * @param doubleReleases release callbacks that were called a second time
 * @param streamViolations calls that the stream contract forbids: two at a time, after release, {@code get_last_error}
 *     after a success
 * @param held arrays that were moved into the peer and not released
 * @param schemasAsked calls of {@code get_schema} of its streams
 */
public record PeerCounters(
        long produced,
        long released,
        long liveNodes,
        long liveBytes,
        long doubleReleases,
        long streamViolations,
        long held,
        long schemasAsked) {
    /**
     * What is out of balance since an earlier snapshot.
     *
     * @param before the earlier snapshot
     * @return one sentence for each; empty: nothing
     */
    public List<String> unbalancedSince(PeerCounters before) {
        List<String> out = new ArrayList<>();
        long handedOut = produced - before.produced;
        long cameBack = released - before.released;
        if (handedOut != cameBack) {
            out.add("the C peer handed out " + handedOut + " structures and got " + cameBack + " back");
        }
        add(out, liveNodes - before.liveNodes, "schemas, arrays or streams of the C peer are still alive");
        add(out, liveBytes - before.liveBytes, "bytes of the C peer are still allocated");
        add(out, doubleReleases - before.doubleReleases, "release callbacks of the C peer were called twice");
        add(out, streamViolations - before.streamViolations, "calls to streams of the C peer broke the contract");
        add(out, held - before.held, "arrays are still held by the C peer");
        return out;
    }

    private static void add(List<String> out, long difference, String what) {
        if (difference != 0) {
            out.add(difference + " " + what);
        }
    }
}
