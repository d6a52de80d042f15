package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.abi.CallbackThread;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.memory.LateFailures;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A driver's device, kept for as long as anything of it is in use: each runtime, buffer, queue and event holds a
 * reference.
 */
public final class DriverContext extends ReferenceCounted {
    private final DeviceDriver driver;
    /** Queues on which callbacks wait for events, so that an event that never comes holds up no other. */
    private final ConcurrentLinkedQueue<Long> idleQueues = new ConcurrentLinkedQueue<>();

    /** Takes over a driver, which is closed when the last reference is released. */
    public DriverContext(DeviceDriver driver) {
        this.driver = driver;
    }

    /** The driver. */
    public DeviceDriver getDriver() {
        return driver;
    }

    /** Runs an action on a thread of the driver, or one that waits, when an event completes. */
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
            // Not to be used again: it may wait for the event already, which may never come.
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
            // The work has failed and so is over; whoever cares asks the event.
        }
    }

    /**
     * Gives something back to the driver and then does what follows, also when giving back has failed, which is reported. On
     * a thread where the driver can't be called, both are done later on another.
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
