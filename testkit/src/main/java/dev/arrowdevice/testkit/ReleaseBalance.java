package dev.arrowdevice.testkit;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.spi.Devices;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks that a piece of code released everything: memory of the SDK, exports, imports, threads, and whatever a foreign
 * library counts. Start it before the code and close it after:
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

    /** Starts with the SDK's own counters. */
    public static ReleaseBalance start() {
        return new ReleaseBalance(() -> List::of);
    }

    /**
     * Starts with the SDK's counters and those of a foreign library.
     *
     * @param foreign the library, for instance a {@link SimulatedDriver}
     */
    public static ReleaseBalance start(Counted foreign) {
        return new ReleaseBalance(foreign);
    }

    /**
     * What was not released since the start. Waits up to five seconds until everything is: the thread that runs an
     * action when an event completes releases memory after that action, and the test may have gone on by then.
     *
     * @return one sentence each; an empty list means that everything was released
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

    /** What was not released, without waiting. */
    List<String> outstanding() {
        List<String> out = new ArrayList<>();
        Devices.trim(); // A foreign library may count what is kept for later copies.
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
        add(out, change.unreleasedSchemas(), "exported schemas have not been released");
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
     * @throws AssertionError if anything was not released; the message lists it
     */
    public void verify() {
        List<String> unbalanced = unbalanced();
        if (!unbalanced.isEmpty()) {
            throw new AssertionError("not released: " + String.join("; ", unbalanced));
        }
    }

    /** Like {@link #verify}. */
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

    /** Waits up to five seconds for deferred releases of memory. */
    public static void awaitDeferredReleases() {
        long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
        while (ArrowCounters.now().pendingReleases() > 0 && System.nanoTime() < end) {
            Thread.yield();
        }
    }
}
