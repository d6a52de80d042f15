package dev.arrowdevice.testkit.device;

import dev.arrowdevice.testkit.device.TraceEntry.Phase;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a simulated device: a thread that does one work after the other, as long as it is not paused.
 *
 * <p>A failure stays until somebody has been told of it: work that was queued before that fails too, without being done,
 * and so does what waits for it in other queues.
 */
final class SimulatedQueue {
    /** Something to do. */
    interface Work {
        /**
         * Does it, on the queue's thread.
         *
         * @param earlier the failure of work before it, which work that touches memory only passes on
         * @return why it failed, or null
         */
        Errors.@Nullable Failure run(Errors.@Nullable Failure earlier);
    }

    private record Queued(Operation operation, long value, long number, Work work) {}

    /** Set on threads that are within a callback or a kernel, which must not call a device. */
    private static final ThreadLocal<@Nullable Operation> WITHIN = new ThreadLocal<>();

    final long handle;
    private final InProcessDriver driver;
    private final ArrayDeque<Queued> queued = new ArrayDeque<>();
    private final Thread worker;
    /** The number of the last work that may be begun with. */
    private long pausedAfter = Long.MAX_VALUE;

    private boolean destroyed;
    private long submitted;
    private long finished;
    private Errors.@Nullable Failure failure;
    /** The number of the last work that fails with the failure. */
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

    /** What the calling thread runs for a queue that must not call a device, or null. */
    static @Nullable Operation within() {
        return WITHIN.get();
    }

    synchronized void submit(Operation operation, long value, Work work) {
        queued.add(new Queued(operation, value, ++submitted, work));
        notifyAll();
    }

    /** Keeps what is queued from now on from being begun with. */
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

    /** Lets go of all waiting, since the device is lost. */
    void abandon() {
        resume();
        SimulatedEvent event = waitsFor;
        if (event != null) {
            event.wake();
        }
    }

    /** Waits until all work queued so far is done; the result is the failure that nobody has been told of, or null. */
    synchronized Errors.@Nullable Failure synchronize() {
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
        if (failure == null || failsUntil != Long.MAX_VALUE) {
            return null;
        }
        failsUntil = submitted;
        return failure;
    }

    /** Somebody is told of a failure by an event: what is queued from now on is not concerned. */
    synchronized void told(Errors.Failure toldOf) {
        if (failure == toldOf && failsUntil == Long.MAX_VALUE) {
            failsUntil = submitted;
        }
    }

    /** Waits in a queue's thread for an event of any device. */
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
                // Nobody's business: the thread ends with the queue.
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
