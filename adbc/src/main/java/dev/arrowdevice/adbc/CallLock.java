package dev.arrowdevice.adbc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time call a driver with an object and those made of it: "objects allow serialized access from
 * multiple threads: one thread may make a call, and once complete, another thread may make a call. They do not allow
 * concurrent access from multiple threads." A cancel does not take it.
 */
final class CallLock {
    /** How long a call waits for one that itself waits for a stream of ours. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ReentrantLock lock = new ReentrantLock();
    /** The pull of a bound stream that the driver waits for, null if it waits for none. */
    private volatile @Nullable Object pull;

    /**
     * Makes a call when all earlier ones have returned.
     *
     * @throws IllegalStateException if it would wait for a call that waits for it: one whose bound stream reads from the
     *     same connection
     */
    <R extends @Nullable Object> R call(String operation, Supplier<R> body) {
        acquire(operation);
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    private void acquire(String operation) {
        if (pull != null && lock.isHeldByCurrentThread()) {
            throw circular(operation);
        }
        if (lock.tryLock()) {
            return;
        }
        boolean interrupted = false;
        Object stalled = null;
        long since = 0;
        try {
            while (true) {
                try {
                    if (lock.tryLock(PATIENCE_NANOS / 20, TimeUnit.NANOSECONDS)) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true; // A native call can't be interrupted, so neither is the wait for one.
                }
                Object now = pull;
                if (now == null || now != stalled) {
                    stalled = now;
                    since = System.nanoTime();
                } else if (System.nanoTime() - since > PATIENCE_NANOS) {
                    throw circular(operation);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IllegalStateException circular(String operation) {
        return new IllegalStateException(
                operation + ": the connection executes a statement that waits for its bound stream. If the stream reads"
                        + " from the same connection, they wait for each other: use another connection for one of them");
    }

    /** Says that the driver waits for a bound stream, while the body makes its next array. */
    <R extends @Nullable Object> R pulling(Supplier<R> body) {
        Object before = pull;
        pull = new Object();
        try {
            return body.get();
        } finally {
            pull = before;
        }
    }
}
