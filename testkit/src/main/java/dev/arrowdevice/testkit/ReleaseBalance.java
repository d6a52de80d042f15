package dev.arrowdevice.testkit;

import dev.arrowdevice.ArrowCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a piece of code gave back everything: memory of the SDK, exports, imports, structures of the C peer,
 * threads. Made before the code runs and closed after it:
 *
 * <pre>{@code
 * try (ReleaseBalance balance = ReleaseBalance.start()) {
 *     // export, import, read, close
 * }
 * }</pre>
 *
 * <p>The counters are those of the whole process: nothing else may exchange arrays meanwhile.
 */
public final class ReleaseBalance implements AutoCloseable {
    private static final long WAIT_MILLIS = 5_000;

    private final ArrowCounters before = ArrowCounters.now();
    private final Set<Thread> threads = nonDaemonThreads();
    private final @Nullable CPeer peer;
    private final @Nullable PeerCounters peerCounters;
    private final @Nullable SimulatedDriver driver;
    private final @Nullable SimulatedDriverCounters driverCounters;

    private ReleaseBalance(@Nullable CPeer peer, @Nullable SimulatedDriver driver) {
        this.peer = peer;
        this.peerCounters = peer == null ? null : peer.counters();
        this.driver = driver;
        this.driverCounters = driver == null ? null : driver.counters();
    }

    /** Begins without looking at the C peer, which then needs not be compiled. */
    public static ReleaseBalance start() {
        return new ReleaseBalance(null, null);
    }

    /**
     * Begins, with the C peer's counters.
     *
     * @param peer the C peer
     */
    public static ReleaseBalance start(CPeer peer) {
        return new ReleaseBalance(peer, null);
    }

    /**
     * Begins, with what is live in a simulated driver and the mistakes it has seen. Its end waits up to five seconds for
     * the driver's streams.
     *
     * @param driver the simulated driver
     */
    public static ReleaseBalance start(SimulatedDriver driver) {
        return new ReleaseBalance(null, driver);
    }

    /**
     * What has not been given back since the start. Waits up to five seconds until everything has been: a thread that runs
     * an action when an event completes gives back, and defers releases, after the action, whose end the test may have
     * seen before.
     *
     * @return one sentence for each; empty: nothing
     */
    public List<String> unbalanced() {
        long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
        if (driver != null) {
            driver.awaitIdle(Duration.ofMillis(WAIT_MILLIS));
        }
        List<String> out = outstanding();
        while (!out.isEmpty() && System.nanoTime() < end) {
            Thread.yield();
            out = outstanding();
        }
        return out;
    }

    private List<String> outstanding() {
        List<String> out = new ArrayList<>();
        ArrowCounters now = ArrowCounters.now();
        ArrowCounters change = now.minus(before);
        add(out, now.pendingReleases(), "deferred releases have not been done");
        add(out, change.hostBuffers(), "buffers of the SDK are still allocated");
        add(out, change.hostBytes(), "bytes of the SDK are still allocated");
        add(out, change.deviceBuffers(), "buffers on devices are still allocated");
        add(out, change.deviceBytes(), "bytes on devices are still allocated");
        add(out, change.deviceQueues(), "queues have not been closed");
        add(out, change.deviceEvents(), "events have not been closed");
        add(out, change.unreleasedExports(), "exports have not been released");
        add(out, change.unreleasedImports(), "imports have not been closed");
        add(out, change.leaks(), "owners were never closed and found by the garbage collector");
        if (peer != null && peerCounters != null) {
            out.addAll(peer.counters().unbalancedSince(peerCounters));
        }
        if (driver != null && driverCounters != null) {
            List<String> driverOut = driver.counters().unbalancedSince(driverCounters);
            out.addAll(driverOut);
            if (!driverOut.isEmpty()) {
                out.addAll(driver.violations());
            }
        }
        for (Thread thread : nonDaemonThreads()) {
            if (!threads.contains(thread)) {
                out.add("the thread " + thread.getName() + " still runs");
            }
        }
        return out;
    }

    /**
     * Checks the balance.
     *
     * @throws AssertionError if anything has not been given back; the message lists it
     */
    public void verify() {
        List<String> unbalanced = unbalanced();
        if (!unbalanced.isEmpty()) {
            throw new AssertionError("not released: " + String.join("; ", unbalanced));
        }
    }

    /** The same as {@link #verify}. */
    @Override
    public void close() {
        verify();
    }

    private static void add(List<String> out, long difference, String what) {
        if (difference != 0) {
            out.add(difference + " " + what);
        }
    }

    private static Set<Thread> nonDaemonThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon())
                .collect(Collectors.toSet());
    }

    /** Waits up to five seconds until memory whose release was deferred has been released. */
    public static void awaitDeferredReleases() {
        long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
        while (ArrowCounters.now().pendingReleases() > 0 && System.nanoTime() < end) {
            Thread.yield();
        }
    }
}
