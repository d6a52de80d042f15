package dev.arrowdevice.testkit.device;

import dev.arrowdevice.testkit.device.TraceEntry.Phase;
import java.util.ArrayDeque;
import java.util.List;

/** The last events of a simulated device. Thread-safe. */
final class Trace {
    private static final int LIMIT = 100_000;

    private final ArrayDeque<TraceEntry> entries = new ArrayDeque<>();

    synchronized void add(Operation operation, Phase phase, long queue, long value) {
        if (entries.size() == LIMIT) {
            entries.removeFirst();
        }
        entries.add(
                new TraceEntry(System.nanoTime(), Thread.currentThread().getName(), operation, phase, queue, value));
    }

    synchronized List<TraceEntry> entries() {
        return List.copyOf(entries);
    }
}
