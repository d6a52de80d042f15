package dev.arrowdevice.testkit;

import dev.arrowdevice.ExchangeCounters;
import dev.arrowdevice.MemoryCounters;
import dev.arrowdevice.spi.LiveResources;
import dev.arrowdevice.spi.Releases;
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

    private final long liveBytes = MemoryCounters.liveBytes();
    private final long liveBuffers = MemoryCounters.liveBuffers();
    private final LiveResources live = LiveResources.now();
    private final long leaks = Releases.leaks();
    private final ExchangeCounters exchanged = ExchangeCounters.now();
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
     * What has not been given back since the start. Waits up to five seconds each for deferred releases to be done, for
     * devices to give back everything and for new threads to end.
     *
     * @return one sentence for each; empty: nothing
     */
    public List<String> unbalanced() {
        List<String> out = new ArrayList<>();
        // First: a thread that runs an action for an event may defer a release after the action, whose end the test has
        // seen.
        LiveResources liveNow = awaitDevices();
        awaitDeferredReleases();
        add(out, Releases.pending(), "deferred releases have not been done");
        add(out, MemoryCounters.liveBuffers() - liveBuffers, "buffers of the SDK are still allocated");
        add(out, MemoryCounters.liveBytes() - liveBytes, "bytes of the SDK are still allocated");
        add(out, liveNow.buffers() - live.buffers(), "buffers on devices are still allocated");
        add(out, liveNow.bytes() - live.bytes(), "bytes on devices are still allocated");
        add(out, liveNow.queues() - live.queues(), "queues have not been closed");
        add(out, liveNow.events() - live.events(), "events have not been closed");
        ExchangeCounters now = ExchangeCounters.now();
        add(out, now.unreleasedExports() - exchanged.unreleasedExports(), "exports have not been released");
        add(out, now.unreleasedImports() - exchanged.unreleasedImports(), "imports have not been closed");
        add(out, Releases.leaks() - leaks, "owners were never closed and found by the garbage collector");
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
            if (!threads.contains(thread) && !ends(thread)) {
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

    /**
     * A thread that runs an action when an event completes gives back what it has held meanwhile after the action, whose end
     * the test may have seen before.
     */
    private LiveResources awaitDevices() {
        long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
        if (driver != null) {
            driver.awaitIdle(Duration.ofMillis(WAIT_MILLIS));
        }
        LiveResources now = LiveResources.now();
        while ((!now.equals(live) || driverHolds()) && System.nanoTime() < end) {
            Thread.yield();
            now = LiveResources.now();
        }
        return now;
    }

    private boolean driverHolds() {
        return driver != null
                && driverCounters != null
                && !driver.counters().unbalancedSince(driverCounters).isEmpty();
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
        while (Releases.pending() > 0 && System.nanoTime() < end) {
            Thread.yield();
        }
    }

    private static boolean ends(Thread thread) {
        try {
            thread.join(WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
