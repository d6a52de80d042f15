package dev.arrowdevice.internal.memory;

import dev.arrowdevice.DeviceException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until queued work is over, that is, done or failed. A call that was refused says neither: the work may not even
 * have begun. So memory that the work uses is kept, and the device is asked again, at growing intervals, until it
 * answers. Refusals that last are reported once.
 */
public final class EndOfWork {
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static volatile long patience = TimeUnit.SECONDS.toNanos(30);

    private EndOfWork() {}

    /**
     * Sets how long refusals last before they are reported, for tests.
     *
     * @return the previous time, in nanoseconds
     */
    public static synchronized long patience(long nanos) {
        long before = patience;
        patience = nanos;
        return before;
    }

    /** Whether an exception of a call that waits says that the work is over. */
    public static boolean isOver(Throwable failure) {
        return failure instanceof DeviceException && ((DeviceException) failure).isWorkFailure();
    }

    /** A thread that waits for work, not started. */
    public static Thread thread(Runnable action) {
        Thread thread = new Thread(null, action, "arrow-device-event", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    /**
     * Blocks until work is over. Never throws.
     *
     * @param wait a call that waits for the work
     * @param kept names what can't be released before, for the report
     */
    public static void await(Runnable wait, Supplier<String> kept) {
        Throwable refusal = refusal(wait);
        long start = System.nanoTime();
        long pause = SHORTEST_PAUSE;
        boolean reported = false;
        while (refusal != null) {
            if (!reported && System.nanoTime() - start >= patience) {
                reported = true;
                report(refusal, kept);
            }
            pause(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            refusal = refusal(wait);
        }
    }

    /** Why a call that waits did not say that the work is over, or null if it did. */
    private static @Nullable Throwable refusal(Runnable wait) {
        try {
            wait.run();
            return null;
        } catch (Throwable e) {
            return isOver(e) ? null : e;
        }
    }

    private static void pause(long nanos) {
        Thread.interrupted(); // An interrupt that a driver has passed on would end each pause at once.
        LockSupport.parkNanos(nanos);
    }

    private static void report(Throwable refusal, Supplier<String> kept) {
        try {
            String text = "the device does not say whether queued work is over; it is asked until it does, and keeps "
                    + kept.get() + " so long; its last refusal: " + refusal.getMessage();
            Throwable report;
            if (refusal instanceof DeviceException) {
                DeviceException failure = (DeviceException) refusal;
                report = new DeviceException(
                        failure.getDevice(), failure.getOperation(), failure.getCode(), text, false);
                report.initCause(refusal);
            } else {
                report = new IllegalStateException(text, refusal);
            }
            LateFailures.report(report);
        } catch (Throwable e) {
            // There is no memory for a report.
        }
    }
}
