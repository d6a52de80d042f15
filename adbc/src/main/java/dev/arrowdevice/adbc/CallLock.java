package dev.arrowdevice.adbc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time call a driver with an object and those made of it: "objects allow serialized access from
 * multiple threads: one thread may make a call, and once complete, another thread may make a call. They do not allow
 * concurrent access from multiple threads." A cancel does not take it.
 *
 * <p>A call in which the driver reads a bound stream waits for code of ours, which may want to call the same driver. On
 * the thread that reads, such a call is refused. On another thread it can't be told from one that waits its turn, so it is
 * refused only after a long time. What releases a result never waits for such a call: that call does it at its end.
 */
final class CallLock {
    private static final System.Logger LOGGER = System.getLogger("dev.arrowdevice.adbc");
    private static final int LOOK_EVERY_MILLIS = 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final long patienceNanos;
    /** The pull of a bound stream that the driver waits for, null if it waits for none. */
    private volatile @Nullable Pull pull;
    /** What the call that runs releases when it ends. */
    private final Queue<Runnable> releases = new ConcurrentLinkedQueue<>();

    CallLock() {
        this(TimeUnit.SECONDS.toNanos(30));
    }

    /** With the time that a call waits for one that itself waits for a bound stream. */
    CallLock(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /** A stream of ours that the driver reads, on a thread. */
    private static final class Pull {
        private final Thread thread = Thread.currentThread();
    }

    /**
     * Makes a call when all earlier ones have returned.
     *
     * @throws IllegalStateException if it would wait for a call that waits for it: one whose bound stream reads from the
     *     same connection
     */
    <R extends @Nullable Object> R call(String operation, Supplier<R> body) {
        if (!acquire(patienceNanos)) {
            throw circular(operation);
        }
        try {
            return body.get();
        } finally {
            unlock();
        }
    }

    /** Makes a call that closes an object. It waits as long as it takes. */
    void close(Runnable body) {
        if (!acquire(Long.MAX_VALUE)) {
            throw circular("close");
        }
        try {
            body.run();
        } finally {
            unlock();
        }
    }

    /**
     * Makes a call that releases a result. If a call runs that waits for a bound stream, that call makes it when it ends:
     * the release may be a part of what it waits for.
     */
    void release(Runnable body) {
        if (acquire(0)) {
            try {
                body.run();
            } finally {
                unlock();
            }
        } else {
            releases.add(body);
            releaseLeft();
        }
    }

    /**
     * Refuses an operation that makes its calls on other threads, and waits for them.
     *
     * @throws IllegalStateException if this thread reads the bound stream of a call
     */
    void requireNotPulling(String operation) {
        Pull now = pull;
        if (now != null && now.thread == Thread.currentThread()) {
            throw circular(operation);
        }
    }

    /** Returns false if the call that runs waits for a bound stream, on this thread or longer than the patience. */
    private boolean acquire(long patience) {
        if (pull != null && lock.isHeldByCurrentThread()) {
            return false;
        }
        if (lock.tryLock()) {
            return true;
        }
        boolean interrupted = false;
        Pull stalled = null;
        long since = 0;
        try {
            while (true) {
                Pull now = pull;
                if (now == null || now != stalled) {
                    stalled = now;
                    since = System.nanoTime();
                }
                if (now != null && (now.thread == Thread.currentThread() || System.nanoTime() - since >= patience)) {
                    return false;
                }
                try {
                    if (lock.tryLock(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true; // A native call can't be interrupted, so neither is the wait for one.
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void unlock() {
        try {
            if (lock.getHoldCount() == 1) {
                drain();
            }
        } finally {
            lock.unlock();
        }
        releaseLeft();
    }

    /** What came when the call that ran had looked for it already. */
    private void releaseLeft() {
        while (!releases.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            try {
                drain();
            } finally {
                lock.unlock();
            }
        }
    }

    /** With the lock held. */
    private void drain() {
        for (Runnable next = releases.poll(); next != null; next = releases.poll()) {
            try {
                next.run();
            } catch (RuntimeException e) {
                // Whoever closed the result has gone on, and the call that ends here has a result of its own.
                LOGGER.log(System.Logger.Level.WARNING, "a result could not be released", e);
            }
        }
    }

    private static IllegalStateException circular(String operation) {
        return new IllegalStateException(
                operation + ": the connection executes a statement that waits for its bound stream. If the stream reads"
                        + " from the same connection, they wait for each other: use another connection for one of them");
    }

    /** Says that the driver waits for a bound stream, while the body makes its next array or closes it. */
    <R extends @Nullable Object> R pulling(Supplier<R> body) {
        Pull before = pull;
        pull = new Pull();
        try {
            return body.get();
        } finally {
            pull = before;
        }
    }
}
