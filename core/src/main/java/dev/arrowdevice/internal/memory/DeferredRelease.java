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
 * Releases memory later, on a thread of its own: memory that a device still uses, and memory whose last owner lets go on
 * a thread that must not call the device, such as a callback of its driver.
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
     * Gives a reference back once an event has completed, and closes the event: at once if it has, else later on another
     * thread. Never throws; the reference is also given back if the event's work has failed. Where the runtime can't call
     * back, for want of memory for instance, a thread waits.
     *
     * @param event is handed over
     * @param owner the reference is handed over
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
            // The work has failed, or the device could not be asked: only one who waits knows when it is over.
            waitInThread(event, release);
            return;
        }
        release.run();
    }

    /** Not on the releaser's thread, where an event that does not come would hold up all other releases. */
    private static void waitInThread(DeviceEvent event, Runnable release) {
        Runnable wait = () -> {
            awaitQuietly(event);
            release.run();
        };
        try {
            daemon(wait, "arrow-device-event").start();
        } catch (OutOfMemoryError e) {
            RELEASER.execute(wait); // No thread is to be had.
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
            // The work has failed and so is over.
        }
    }

    /**
     * Gives a reference back once the work that is queued so far on a queue is done. Never throws; where the device can't
     * even tell when that is (it is lost, for instance) the reference is given back once its queue has nothing to wait for.
     *
     * @param owner the reference is handed over
     */
    public static void after(DeviceRuntime runtime, DeviceQueue queue, ReferenceCounted owner) {
        DeviceEvent event;
        try {
            event = runtime.record(queue);
        } catch (RuntimeException e) {
            try {
                queue.synchronize();
            } catch (RuntimeException failed) {
                // The work has failed: no device uses the memory any more.
            }
            owner.release();
            return;
        }
        after(event, owner);
    }

    /** Runs an action, which must not throw, soon and on another thread. */
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

    /** How many releases have been deferred and not been done yet. */
    public static long pending() {
        return PENDING.get();
    }
}
