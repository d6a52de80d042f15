package dev.arrowdevice.spi;

import dev.arrowdevice.internal.abi.CallbackThread;
import dev.arrowdevice.internal.memory.EndOfWork;
import dev.arrowdevice.internal.memory.LateFailures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs actions when events are complete: one thread asks the driver for all pending events of a device. So nothing of ours is
 * in the driver's hands when the JVM ends, and an event that never completes holds up no other. The thread ends when it has
 * had nothing to do for a second.
 */
final class EventPoller {
    private static final long SHORTEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(250);
    private static final long IDLE_MILLIS = 1000;

    private final DeviceDriver driver;
    private final ArrayDeque<Pending> added = new ArrayDeque<>();
    private @Nullable Thread thread;

    EventPoller(DeviceDriver driver) {
        this.driver = driver;
    }

    /**
     * Runs an action when an event is complete, on a thread that must not call the driver.
     *
     * @param action must not throw
     */
    synchronized void add(DriverEvent.NativeEvent event, Runnable action) {
        Pending pending = new Pending(event, action);
        if (thread == null) {
            Thread started = EndOfWork.thread(this::poll);
            started.start();
            thread = started;
        }
        added.add(pending);
        LockSupport.unpark(thread);
        notifyAll();
    }

    private void poll() {
        List<Pending> pending = new ArrayList<>();
        long pause = SHORTEST_PAUSE;
        int known = 0;
        while (takeAdded(pending)) {
            boolean isNew = pending.size() > known; // It is not asked less often because another event takes long.
            boolean isOver = pending.removeIf(Pending::isOver);
            pause = isNew || isOver ? SHORTEST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
            known = pending.size();
            if (!pending.isEmpty()) {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    /** Takes what was added. False if there is nothing to do, and this thread ends. */
    private synchronized boolean takeAdded(List<Pending> pending) {
        if (pending.isEmpty() && added.isEmpty()) {
            try {
                wait(IDLE_MILLIS);
            } catch (InterruptedException e) {
                // Nobody interrupts this thread for a reason.
            }
        }
        pending.addAll(added);
        added.clear();
        if (pending.isEmpty()) {
            thread = null;
            return false;
        }
        return true;
    }

    /** An event, and what to do then. */
    private final class Pending {
        private final DriverEvent.NativeEvent event;
        private final Runnable action;

        Pending(DriverEvent.NativeEvent event, Runnable action) {
            this.event = event;
            this.action = action;
        }

        boolean isOver() {
            try {
                if (!driver.isComplete(event.value)) {
                    return false;
                }
            } catch (Throwable e) {
                if (!EndOfWork.isOver(e)) {
                    return isLeftToThread();
                }
            }
            run();
            return true;
        }

        private void run() {
            LateFailures.reporting(() -> CallbackThread.run(action));
        }

        /** A driver that refuses to answer is asked at growing intervals, by a thread that has no other events. */
        private boolean isLeftToThread() {
            try {
                EndOfWork.thread(() -> {
                            EndOfWork.await(
                                    () -> driver.await(event.value), () -> event + " and what waits for it, " + action);
                            run();
                        })
                        .start();
                return true;
            } catch (Throwable e) {
                return false;
            }
        }
    }
}
