package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.Objects;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Releases memory later, on a thread of its own: memory that a device still uses, and memory whose last release is on a
 * thread that must not call the device, such as a callback of its driver. Memory is released when its work is over, and
 * not before, whatever fails ({@link EndOfWork}).
 */
public final class DeferredRelease {
    private static final AtomicLong PENDING = new AtomicLong();

    /** Those for which the heap had no room, the last one first. */
    private static final AtomicReference<@Nullable Release> POSTPONED = new AtomicReference<>();

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
        Release release = new Release(owner, event::close, event::await);
        PENDING.incrementAndGet();
        try {
            if (!event.isComplete()) {
                event.whenComplete(release);
                return;
            }
        } catch (Throwable e) {
            if (!EndOfWork.isOver(e)) {
                waitInThread(release);
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
        Release release = new Release(owner, afterwards, wait);
        PENDING.incrementAndGet();
        waitInThread(release);
    }

    /** Not on the releasing thread, where an event that never completes would delay all other releases. */
    private static void waitInThread(Release release) {
        Runnable wait = Objects.requireNonNull(release.wait);
        try {
            Runnable both = () -> {
                EndOfWork.await(wait, release::toString);
                release.now();
            };
            EndOfWork.thread(both).start();
        } catch (Throwable e) {
            // There is no memory for a thread.
            retry(release);
        }
    }

    private static void retry(Release release) {
        try {
            RELEASER.schedule(() -> waitInThread(release), 1, TimeUnit.SECONDS);
        } catch (OutOfMemoryError e) {
            postpone(release);
        }
    }

    /**
     * A pending release. Running it passes the release to the releasing thread. Its text names what is kept. It is true
     * when it was done: an executor that runs out of memory may have queued it nevertheless.
     */
    private static final class Release extends AtomicBoolean implements Runnable {
        private static final long serialVersionUID = 1L;

        private final transient @Nullable ReferenceCounted owner;
        private final transient Runnable afterwards;
        /** Returns when the work is over; null if it is. */
        private transient volatile @Nullable Runnable wait;

        private transient @Nullable Release next;

        Release(@Nullable ReferenceCounted owner, Runnable afterwards, @Nullable Runnable wait) {
            this.owner = owner;
            this.afterwards = afterwards;
            this.wait = wait;
        }

        @Override
        public void run() {
            wait = null;
            schedule(this);
        }

        void now() {
            if (!compareAndSet(false, true)) {
                return;
            }
            try {
                if (owner != null) {
                    owner.release();
                }
            } catch (Throwable e) {
                LateFailures.report(e);
            }
            LateFailures.reporting(afterwards);
            PENDING.decrementAndGet();
            releasePostponed();
        }

        @Override
        public String toString() {
            return String.valueOf(owner);
        }
    }

    private static void schedule(Release release) {
        try {
            RELEASER.execute(release::now);
        } catch (OutOfMemoryError e) {
            postpone(release);
        }
    }

    /** Keeps a release for which the heap has no room, without taking any. The next garbage collection makes some. */
    private static void postpone(Release release) {
        do {
            release.next = POSTPONED.get();
        } while (!POSTPONED.compareAndSet(release.next, release));
    }

    /** Tries again what found no room on the heap. */
    static void releasePostponed() {
        if (POSTPONED.get() == null) {
            return;
        }
        Release release = POSTPONED.getAndSet(null);
        while (release != null) {
            Release next = release.next;
            release.next = null;
            if (release.wait == null) {
                schedule(release);
            } else {
                waitInThread(release);
            }
            release = next;
        }
    }

    /**
     * Runs an action soon, on another thread. The action must not throw.
     *
     * @throws OutOfMemoryError if the heap has no room for as much as the note of it; the action was not taken then
     */
    public static void execute(Runnable action) {
        Release release = new Release(null, action, null);
        PENDING.incrementAndGet();
        release.run();
    }

    /** The number of releases that were deferred and are not done yet. */
    public static long pending() {
        return PENDING.get();
    }
}
