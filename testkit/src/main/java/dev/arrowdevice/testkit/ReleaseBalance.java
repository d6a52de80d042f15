package dev.arrowdevice.testkit;

import dev.arrowdevice.ArrowCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Says whether a piece of code gave back everything: memory of the SDK, exports, imports, threads, and what
 * a foreign library counts. Made before the code runs and closed after it:
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
    private final Supplier<List<String>> foreign;

    private ReleaseBalance(Counted foreign) {
        this.foreign = foreign.count();
    }

    /** Begins, with what the SDK itself counts. */
    public static ReleaseBalance start() {
        return new ReleaseBalance(() -> List::of);
    }

    /**
     * Begins, with what a foreign library counts too.
     *
     * @param foreign the library, a {@link SimulatedDriver} for instance
     */
    public static ReleaseBalance start(Counted foreign) {
        return new ReleaseBalance(foreign);
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
        List<String> out = outstanding();
        while (!out.isEmpty() && System.nanoTime() < end) {
            Thread.yield();
            out = outstanding();
        }
        return out;
    }

    /** The same as it is now, without waiting. */
    List<String> outstanding() {
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
        out.addAll(foreign.get());
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
