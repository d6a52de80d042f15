package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Releases memory later, on a thread of its own: memory that a device still uses, and memory whose last release is on a
 * thread that must not call the device, such as a callback of its driver. Memory is released when its work is over, and
 * not before, whatever fails ({@link EndOfWork}).
 */
public final class DeferredRelease {
    private static final AtomicLong PENDING = new AtomicLong();

    /** It keeps an action for whose thread there was no memory; the next action starts the thread. */
    private static final ScheduledThreadPoolExecutor RELEASER = new ScheduledThreadPoolExecutor(1, action -> {
        Thread thread = new Thread(null, action, "arrow-device-release", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    });

    static {
        RELEASER.setKeepAliveTime(1, TimeUnit.SECONDS);
        RELEASER.allowCoreThreadTimeOut(true);
    }

    private DeferredRelease() {}

    /**
     * Releases a reference and closes an event, after the event is complete or its work has failed: now if that is so
     * already, otherwise later, on another thread. Never throws. If the runtime can't call back, for instance because
     * memory ran out, a thread waits.
     *
     * @param event the event, which moves to this method
     * @param owner the resource; the reference moves to this method
     */
    public static void after(DeviceEvent event, ReferenceCounted owner) {
        Release release = new Release(owner, event::close);
        PENDING.incrementAndGet();
        try {
            if (!event.isComplete()) {
                event.whenComplete(release);
                return;
            }
        } catch (Throwable e) {
            if (!EndOfWork.isOver(e)) {
                waitInThread(event::await, release);
                return;
            }
        }
        release.now();
    }

    /**
     * Releases a reference after the work that is queued so far on a queue is done or has failed. Never throws.
     *
     * @param queue the queue; it may be closed afterwards
     * @param owner the resource; the reference moves to this method
     */
    public static void after(DeviceRuntime runtime, DeviceQueue queue, ReferenceCounted owner) {
        DeviceEvent event;
        try {
            event = runtime.record(queue);
        } catch (Throwable e) {
            DeviceQueue shared = share(queue);
            if (shared == null) {
                afterWait(queue::synchronize, owner, () -> {});
            } else {
                afterWait(shared::synchronize, owner, shared::close);
            }
            return;
        }
        after(event, owner);
    }

    private static @Nullable DeviceQueue share(DeviceQueue queue) {
        try {
            return queue.share();
        } catch (Throwable e) {
            return null; // Another thread has closed the queue meanwhile.
        }
    }

    /**
     * Releases a reference, then runs an action, after a call that waits for work has said that the work is over. A
     * thread makes that call. Never throws.
     *
     * @param wait the call
     * @param owner the resource; the reference moves to this method
     */
    public static void afterWait(Runnable wait, ReferenceCounted owner, Runnable afterwards) {
        Release release = new Release(owner, afterwards);
        PENDING.incrementAndGet();
        waitInThread(wait, release);
    }

    /** Not on the releasing thread, where an event that never completes would delay all other releases. */
    private static void waitInThread(Runnable wait, Release release) {
        try {
            Runnable both = () -> {
                EndOfWork.await(wait, release::toString);
                release.now();
            };
            EndOfWork.thread(both).start();
        } catch (Throwable e) {
            // There is no memory for a thread.
            schedule(() -> waitInThread(wait, release), TimeUnit.SECONDS.toNanos(1));
        }
    }

    /** A pending release. Running it passes the release to the releasing thread. Its text names what is kept. */
    private static final class Release implements Runnable {
        private final ReferenceCounted owner;
        private final Runnable afterwards;

        Release(ReferenceCounted owner, Runnable afterwards) {
            this.owner = owner;
            this.afterwards = afterwards;
        }

        @Override
        public void run() {
            schedule(this::now, 0);
        }

        void now() {
            LateFailures.reporting(owner::release);
            LateFailures.reporting(afterwards);
            PENDING.decrementAndGet();
        }

        @Override
        public String toString() {
            return owner.toString();
        }
    }

    private static void schedule(Runnable action, long nanos) {
        try {
            RELEASER.schedule(action, nanos, TimeUnit.NANOSECONDS);
        } catch (OutOfMemoryError e) {
            // The action is queued, but its thread could not be started.
        }
    }

    /** Runs an action soon, on another thread. The action must not throw. */
    public static void execute(Runnable action) {
        PENDING.incrementAndGet();
        schedule(
                () -> {
                    LateFailures.reporting(action);
                    PENDING.decrementAndGet();
                },
                0);
    }

    /** The number of releases that were deferred and are not done yet. */
    public static long pending() {
        return PENDING.get();
    }
}
