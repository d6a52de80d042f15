package dev.arrowdevice.testkit.device;

import dev.arrowdevice.testkit.device.TraceEntry.Phase;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a simulated device: a thread that does one piece of work after the other, unless it is paused.
 *
 * <p>A failure stays until it is reported. Until then, work that was queued fails too, without being done, and so does
 * work in other queues that waits for it.
 */
final class SimulatedQueue {
    /** Something to do. */
    interface Work {
        /**
         * Does the work, on the queue's thread.
         *
         * @param earlier the failure of work before it, which work that accesses memory passes on instead of running
         * @return the failure of the work, or null
         */
        Errors.@Nullable Failure run(Errors.@Nullable Failure earlier);
    }

    private record Queued(Operation operation, long value, long number, Work work) {}

    /** Set on a thread while it runs a callback or a kernel, which must not call a device. */
    private static final ThreadLocal<@Nullable Operation> WITHIN = new ThreadLocal<>();

    final long handle;
    private final InProcessDriver driver;
    private final ArrayDeque<Queued> queued = new ArrayDeque<>();
    private final Thread worker;
    /** The number of the last work that may start. */
    private long pausedAfter = Long.MAX_VALUE;

    private boolean destroyed;
    private long submitted;
    private long finished;
    private Errors.@Nullable Failure failure;
    /** The number of the last work that fails because of the failure. */
    private long failsUntil;

    private volatile @Nullable SimulatedEvent waitsFor;

    SimulatedQueue(InProcessDriver driver, long handle, String name) {
        this.driver = driver;
        this.handle = handle;
        worker = new Thread(null, this::work, name, 0, false);
        worker.setDaemon(true);
        worker.setContextClassLoader(null);
    }

    void start() {
        worker.start();
    }

    /** The callback or kernel that the calling thread runs for a queue, or null. Neither must call a device. */
    static @Nullable Operation within() {
        return WITHIN.get();
    }

    synchronized void submit(Operation operation, long value, Work work) {
        queued.add(new Queued(operation, value, ++submitted, work));
        notifyAll();
    }

    /** Keeps later work from starting. */
    synchronized void pause() {
        pausedAfter = Math.min(pausedAfter, submitted);
    }

    synchronized void resume() {
        pausedAfter = Long.MAX_VALUE;
        notifyAll();
    }

    /** Ends the thread once all work is done. */
    synchronized void destroy() {
        destroyed = true;
        notifyAll();
    }

    /** Ends all waits, because the device is lost. */
    void abandon() {
        resume();
        SimulatedEvent event = waitsFor;
        if (event != null) {
            event.wake();
        }
    }

    /**
     * Waits until all work queued so far is done. The result is the failure that has not been reported yet, or null.
     */
    synchronized Errors.@Nullable Failure synchronize() {
        drain();
        if (failure == null || failsUntil != Long.MAX_VALUE) {
            return null;
        }
        failsUntil = submitted;
        return failure;
    }

    /** Waits until all work queued so far is done. */
    synchronized void drain() {
        long last = submitted;
        boolean interrupted = false;
        while (finished < last) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called when an event has reported a failure: work that is queued from now on does not fail because of it. */
    synchronized void told(Errors.Failure toldOf) {
        if (failure == toldOf && failsUntil == Long.MAX_VALUE) {
            failsUntil = submitted;
        }
    }

    /** Waits, in a queue's thread, for an event of any device. */
    Errors.@Nullable Failure waitFor(SimulatedEvent event) {
        waitsFor = event;
        event.await(driver::isLost);
        waitsFor = null;
        return event.isComplete() ? event.failure() : null;
    }

    private void work() {
        Queued next = take();
        while (next != null) {
            Errors.Failure earlier = earlierFailure(next);
            driver.traced(next.operation, Phase.STARTED, handle, next.value);
            Errors.Failure own = run(next, earlier);
            driver.traced(
                    next.operation, own == null && earlier == null ? Phase.DONE : Phase.FAILED, handle, next.value);
            finish(earlier == null ? own : null);
            next = take();
        }
    }

    private Errors.@Nullable Failure run(Queued next, Errors.@Nullable Failure earlier) {
        boolean users = next.operation == Operation.CALLBACK || next.operation == Operation.KERNEL;
        if (users) {
            WITHIN.set(next.operation);
        }
        try {
            return next.work.run(earlier);
        } catch (Throwable e) {
            return driver.errors.thrown(next.operation, e);
        } finally {
            if (users) {
                WITHIN.remove();
            }
        }
    }

    private synchronized @Nullable Queued take() {
        while (queued.isEmpty() ? !destroyed : queued.element().number > pausedAfter) {
            try {
                wait();
            } catch (InterruptedException e) {
                // The thread ends with the queue; nobody interrupts it for another reason.
            }
        }
        return queued.poll();
    }

    private synchronized Errors.@Nullable Failure earlierFailure(Queued next) {
        if (driver.isLost()) {
            return driver.errors.lost(next.operation);
        }
        return next.number <= failsUntil ? failure : null;
    }

    private synchronized void finish(Errors.@Nullable Failure own) {
        if (own != null) {
            failure = own;
            failsUntil = Long.MAX_VALUE;
        }
        finished++;
        notifyAll();
    }
}
