package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.abi.CallbackThread;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.memory.LateFailures;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A device of a driver. It stays open as long as anything of it is in use: each runtime, buffer, queue and event has a
 * reference.
 */
public final class DriverContext extends ReferenceCounted {
    private final DeviceDriver driver;
    /**
     * Queues for callbacks. Each callback waits on a queue of its own, so an event that never completes does not block
     * another.
     */
    private final ConcurrentLinkedQueue<Long> idleQueues = new ConcurrentLinkedQueue<>();

    /** Takes over a driver. The last release closes it. */
    public DriverContext(DeviceDriver driver) {
        this.driver = driver;
    }

    /** The driver. */
    public DeviceDriver getDriver() {
        return driver;
    }

    /** Runs an action when an event is complete, on a thread of the driver or on one that waits. */
    void callWhenComplete(DriverEvent.NativeEvent event, Runnable action) {
        retain();
        try {
            if (driver.hasCallbacks()) {
                callBack(event.value, action);
            } else {
                waitInThread(event, action);
            }
        } catch (Throwable e) {
            release();
            throw e;
        }
    }

    private void callBack(long event, Runnable action) {
        Long idle = idleQueues.poll();
        long queue = idle == null ? driver.createQueue() : idle;
        try {
            driver.waitFor(queue, event);
            driver.callAfter(
                    queue,
                    () -> CallbackThread.run(() -> {
                        idleQueues.add(queue);
                        try {
                            action.run();
                        } finally {
                            release();
                        }
                    }));
        } catch (Throwable e) {
            // Do not reuse the queue: it may already wait for an event that never completes.
            LateFailures.reporting(() -> driver.destroyQueue(queue));
            throw e;
        }
    }

    private void waitInThread(DriverEvent.NativeEvent event, Runnable action) {
        event.retainUse();
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        awaitQuietly(event.value);
                        action.run();
                    } finally {
                        event.releaseUse();
                        release();
                    }
                },
                "arrow-device-event",
                0,
                false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        try {
            thread.start();
        } catch (Throwable e) {
            event.releaseUse();
            throw e;
        }
    }

    private void awaitQuietly(long event) {
        try {
            driver.await(event);
        } catch (RuntimeException e) {
            // The work has failed, so it is over. Callers that care ask the event.
        }
    }

    /**
     * Frees something of the driver, then runs another action, even if freeing has failed; the failure is reported. If
     * this thread must not call the driver, another thread does both later.
     */
    void freeNative(Runnable release, Runnable afterwards) {
        if (!CallbackThread.isCurrent() && !isRefused(release)) {
            afterwards.run();
            return;
        }
        DeferredRelease.execute(() -> {
            LateFailures.reporting(release);
            afterwards.run();
        });
    }

    private boolean isRefused(Runnable release) {
        try {
            release.run();
        } catch (Throwable e) {
            if (e instanceof DeviceException && driver.isCallbackRefusal((DeviceException) e)) {
                return true;
            }
            LateFailures.report(e);
        }
        return false;
    }

    @Override
    protected void free() {
        freeNative(this::destroyIdleQueues, () -> LateFailures.reporting(driver::close));
    }

    private void destroyIdleQueues() {
        for (long queue : idleQueues) {
            LateFailures.reporting(() -> driver.destroyQueue(queue));
        }
    }
}
