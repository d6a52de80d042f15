package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Releases memory later, on a thread of its own: memory that a device still uses, and memory whose last release is on a
 * thread that must not call the device, such as a callback of its driver.
 */
public final class DeferredRelease {
    private static final AtomicLong PENDING = new AtomicLong();
    private static final ThreadPoolExecutor RELEASER =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), action -> {
                return daemon(action, "arrow-device-release");
            });

    static {
        RELEASER.allowCoreThreadTimeOut(true);
    }

    private DeferredRelease() {}

    /**
     * Releases a reference and closes an event, after the event is complete: now if it is complete already, otherwise
     * later, on another thread. Never throws. The reference is also released if the event's work has failed. If the
     * runtime can't call back, for instance because memory ran out, a thread waits.
     *
     * @param event the event, which moves to this method
     * @param owner the resource; the reference moves to this method
     */
    public static void after(DeviceEvent event, ReferenceCounted owner) {
        PENDING.incrementAndGet();
        Runnable release = () -> {
            try {
                owner.release();
            } finally {
                try {
                    event.close();
                } finally {
                    PENDING.decrementAndGet();
                }
            }
        };
        try {
            if (!event.isComplete()) {
                event.whenComplete(() -> RELEASER.execute(release));
                return;
            }
        } catch (RuntimeException e) {
            // The work has failed, or the device could not be asked. Only waiting shows when the work is over.
            waitInThread(event, release);
            return;
        }
        release.run();
    }

    /** Not on the releasing thread, where an event that never completes would delay all other releases. */
    private static void waitInThread(DeviceEvent event, Runnable release) {
        Runnable wait = () -> {
            awaitQuietly(event);
            release.run();
        };
        try {
            daemon(wait, "arrow-device-event").start();
        } catch (OutOfMemoryError e) {
            RELEASER.execute(wait); // There is no memory for a thread.
        }
    }

    private static Thread daemon(Runnable action, String name) {
        Thread thread = new Thread(null, action, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    private static void awaitQuietly(DeviceEvent event) {
        try {
            event.await();
        } catch (RuntimeException e) {
            // The work has failed, so it is over.
        }
    }

    /**
     * Releases a reference after the work that is queued so far on a queue is done. Never throws. If the device can't
     * say when that is, for instance because it was lost, the reference is released when there is nothing to wait for
     * on the queue.
     *
     * @param owner the resource; the reference moves to this method
     */
    public static void after(DeviceRuntime runtime, DeviceQueue queue, ReferenceCounted owner) {
        DeviceEvent event;
        try {
            event = runtime.record(queue);
        } catch (RuntimeException e) {
            try {
                queue.synchronize();
            } catch (RuntimeException failed) {
                // The work has failed, so no device uses the memory any more.
            }
            owner.release();
            return;
        }
        after(event, owner);
    }

    /** Runs an action soon, on another thread. The action must not throw. */
    public static void execute(Runnable action) {
        PENDING.incrementAndGet();
        RELEASER.execute(() -> {
            try {
                action.run();
            } finally {
                PENDING.decrementAndGet();
            }
        });
    }

    /** The number of releases that were deferred and are not done yet. */
    public static long pending() {
        return PENDING.get();
    }
}
