package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.LateFailures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues on which callbacks wait for events. Each pending callback has one of its own, so an event that never
 * completes blocks no other. Afterwards the queue is kept for the next callback, unless more are idle than are in use.
 * No lock is held while the driver is called, because callbacks give queues back.
 */
final class CallbackQueues {
    /** The number of idle queues that are kept even if no callback is pending. */
    private static final int FEW = 8;

    private final DeviceDriver driver;
    private final ArrayDeque<Long> idle = new ArrayDeque<>();
    private int used;

    CallbackQueues(DeviceDriver driver) {
        this.driver = driver;
    }

    /** A queue that waits for nothing. {@link #giveBack} or {@link #discard} must follow. */
    long take() {
        Long known = takeIdle();
        if (known != null) {
            return known;
        }
        try {
            return driver.createQueue();
        } catch (Throwable e) {
            forget();
            throw e;
        }
    }

    private synchronized @Nullable Long takeIdle() {
        used++;
        return idle.pollLast();
    }

    private synchronized void forget() {
        used--;
    }

    /**
     * Takes back a queue on which nothing is pending. Does not call the driver.
     *
     * @return queues that are too many, which the caller destroys
     */
    synchronized List<Long> giveBack(long queue) {
        used--;
        idle.addLast(queue);
        int surplus = idle.size() - Math.max(used, FEW);
        if (surplus <= 0) {
            return List.of();
        }
        List<Long> out = new ArrayList<>(surplus);
        while (out.size() < surplus) {
            out.add(idle.pollFirst());
        }
        return out;
    }

    /** Destroys a queue that may wait for an event that never completes. */
    void discard(long queue) {
        forget();
        destroy(List.of(queue));
    }

    /** Destroys queues. Failures are reported. */
    void destroy(Iterable<Long> queues) {
        for (long queue : queues) {
            LateFailures.reporting(() -> driver.destroyQueue(queue));
        }
    }

    /** Destroys all queues, of which none is in use. */
    void destroyAll() {
        destroy(idle);
    }
}
