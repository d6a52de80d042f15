package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.abi.CallbackThread;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.memory.EndOfWork;
import dev.arrowdevice.internal.memory.LateFailures;
import java.util.List;

/**
 * A device of a driver. It stays open as long as anything of it is in use: each runtime, buffer, queue and event has a
 * reference.
 */
public final class DriverContext extends ReferenceCounted {
    private final DeviceDriver driver;
    private final CallbackQueues queues;
    private final EventPoller poller;
    private final ForeignUses foreignUses;
    private final StagingCache staging;

    /** Takes over a driver. The last release closes it. */
    public DriverContext(DeviceDriver driver) {
        this.driver = driver;
        this.queues = new CallbackQueues(driver);
        this.poller = new EventPoller(driver);
        this.foreignUses = new ForeignUses(driver);
        this.staging = new StagingCache(this, driver);
    }

    /** The driver. */
    public DeviceDriver getDriver() {
        return driver;
    }

    /** The pinned memory that is kept for copies. */
    StagingCache staging() {
        return staging;
    }

    /** Runs an action when an event is complete, on a thread of the driver or on one that waits. */
    void callWhenComplete(DriverEvent.NativeEvent event, Runnable action) {
        retain();
        try {
            if (driver.hasCallbacks()) {
                callBack(event.value, action);
            } else if (driver.completesUnwatched()) {
                poll(event, action);
            } else {
                waitInThread(event, action);
            }
        } catch (Throwable e) {
            release();
            throw e;
        }
    }

    private void callBack(long event, Runnable action) {
        long queue = queues.take();
        try {
            driver.waitFor(queue, event);
            driver.callAfter(queue, () -> CallbackThread.run(() -> called(queue, action)));
        } catch (Throwable e) {
            queues.discard(queue);
            throw e;
        }
    }

    private void called(long queue, Runnable action) {
        List<Long> surplus = queues.giveBack(queue);
        try {
            action.run();
        } finally {
            if (surplus.isEmpty()) {
                release();
            } else {
                freeNative(() -> queues.destroy(surplus), this::release);
            }
        }
    }

    private void poll(DriverEvent.NativeEvent event, Runnable action) {
        event.retainUse();
        try {
            poller.add(event, () -> {
                try {
                    action.run();
                } finally {
                    event.releaseUse();
                    release();
                }
            });
        } catch (Throwable e) {
            event.releaseUse();
            throw e;
        }
    }

    private void waitInThread(DriverEvent.NativeEvent event, Runnable action) {
        event.retainUse();
        try {
            EndOfWork.thread(() -> {
                        try {
                            EndOfWork.await(
                                    () -> driver.await(event.value), () -> event + " and what waits for it, " + action);
                            action.run();
                        } finally {
                            event.releaseUse();
                            release();
                        }
                    })
                    .start();
        } catch (Throwable e) {
            event.releaseUse();
            throw e;
        }
    }

    /** Releases a reference after all work of the device, whoever has queued it. May start a thread, and does not wait. */
    void releaseAfterAllWork(ReferenceCounted owner) {
        foreignUses.release(owner);
    }

    /**
     * Frees something of the driver, then runs another action, even if freeing has failed; the failure is reported. If
     * this thread must not call the driver, or could be in a foreign callback of it, another thread does both later. In a
     * callback some drivers refuse calls, and others wait for the callback.
     */
    void freeNative(Runnable release, Runnable afterwards) {
        if (!CallbackThread.isCurrent() && !CallbackThread.isAttached() && !isRefused(release)) {
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
        freeNative(
                () -> {
                    queues.destroyAll();
                    staging.close();
                },
                () -> LateFailures.reporting(driver::close));
    }
}
