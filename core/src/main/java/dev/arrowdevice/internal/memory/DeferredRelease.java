package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Releases memory later, on a thread of its own: memory that a device still uses, and memory whose last release is on a
 * thread that must not call the device, such as a callback of its driver. Memory is released when its work is over, and
 * not before, whatever fails ({@link EndOfWork}).
 */
public final class DeferredRelease {
    private static final AtomicLong PENDING = new AtomicLong();

    /** What the releasing thread has to do, the last one first. To add to it takes no memory. */
    private static final AtomicReference<@Nullable Release> QUEUED = new AtomicReference<>();

    /** Whether there is a releasing thread, or one is being started. */
    private static final AtomicBoolean RUNNING = new AtomicBoolean();

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static volatile @Nullable Thread releaser;

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

    /**
     * Not on the releasing thread, where an event that never completes would delay all other releases. If there is no memory
     * for a thread, the releasing thread tries again.
     */
    private static void waitInThread(Release release) {
        if (!startsToWait(release)) {
            queue(release);
        }
    }

    private static boolean startsToWait(Release release) {
        Runnable wait = Objects.requireNonNull(release.wait);
        try {
            Runnable both = () -> {
                EndOfWork.await(wait, release::toString);
                release.now();
            };
            EndOfWork.thread(both).start();
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    /** A pending release. Running it passes the release to the releasing thread. Its text names what is kept. */
    private static final class Release implements Runnable {
        private final @Nullable ReferenceCounted owner;
        private final Runnable afterwards;
        /** Returns when the work is over; null if it is. */
        private volatile @Nullable Runnable wait;

        private @Nullable Release next;

        Release(@Nullable ReferenceCounted owner, Runnable afterwards, @Nullable Runnable wait) {
            this.owner = owner;
            this.afterwards = afterwards;
            this.wait = wait;
        }

        @Override
        public void run() {
            wait = null;
            queue(this);
        }

        void now() {
            try {
                if (owner != null) {
                    owner.release();
                }
            } catch (Throwable e) {
                LateFailures.report(e);
            }
            LateFailures.reporting(afterwards);
            PENDING.decrementAndGet();
        }

        @Override
        public String toString() {
            return String.valueOf(owner);
        }
    }

    private static void queue(Release release) {
        do {
            release.next = QUEUED.get();
        } while (!QUEUED.compareAndSet(release.next, release));
        wakeReleaser();
    }

    /**
     * Lets the releasing thread work, if there is something to do. If there is no memory to start it, the next release or
     * the next garbage collection does.
     */
    static void wakeReleaser() {
        if (QUEUED.get() == null) {
            return;
        }
        Thread running = releaser;
        if (running != null) {
            LockSupport.unpark(running);
        } else if (RUNNING.compareAndSet(false, true)) {
            try {
                Thread thread = new Thread(null, DeferredRelease::releaseQueued, "arrow-device-release", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
            } catch (Throwable e) {
                RUNNING.set(false);
            }
        }
    }

    /** The releasing thread, which ends when it has had nothing to do for a second. */
    private static void releaseQueued() {
        releaser = Thread.currentThread();
        Release refused = null;
        do {
            refused = releaseAll(inOrder(QUEUED.getAndSet(null), refused));
            if (QUEUED.get() == null) {
                LockSupport.parkNanos(IDLE_NANOS);
            }
        } while (refused != null || QUEUED.get() != null || continues());
    }

    /** Whether something was queued while the thread was about to end. */
    private static boolean continues() {
        releaser = null;
        RUNNING.set(false);
        if (QUEUED.get() == null || !RUNNING.compareAndSet(false, true)) {
            return false;
        }
        releaser = Thread.currentThread();
        return true;
    }

    /** The queued releases, the first one first, behind those that are tried again. */
    private static @Nullable Release inOrder(@Nullable Release queued, @Nullable Release again) {
        Release ordered = null;
        for (Release release = queued; release != null; ) {
            Release next = release.next;
            release.next = ordered;
            ordered = release;
            release = next;
        }
        for (Release release = again; release != null; ) {
            Release next = release.next;
            release.next = ordered;
            ordered = release;
            release = next;
        }
        return ordered;
    }

    /** Those for whose work no thread could be started to wait. */
    private static @Nullable Release releaseAll(@Nullable Release first) {
        Release refused = null;
        for (Release release = first; release != null; ) {
            Release next = release.next;
            release.next = null;
            if (release.wait == null) {
                release.now();
            } else if (!startsToWait(release)) {
                release.next = refused;
                refused = release;
            }
            release = next;
        }
        return refused;
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
