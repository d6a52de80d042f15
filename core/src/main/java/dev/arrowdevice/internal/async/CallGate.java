package dev.arrowdevice.internal.async;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Records which threads are calling a peer, and lets other threads wait until these calls have returned. */
public final class CallGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final List<Thread> callers = new ArrayList<>(2);

    /** Begins a call. {@link #endCall} must follow on the same thread. */
    public void beginCall() {
        lock.lock();
        try {
            callers.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    public void endCall() {
        lock.lock();
        try {
            callers.remove(Thread.currentThread());
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the running calls of other threads. A call of this thread's own can't be awaited. Before this is
     * called, write whatever must be seen by calls that begin later.
     *
     * @param seconds the longest time to wait; a call that takes longer may be waiting for this very thread
     */
    public void awaitOthers(long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        boolean interrupted = false;
        lock.lock();
        try {
            while (othersCall()) {
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0) {
                    break;
                }
                try {
                    left.awaitNanos(remaining);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean othersCall() {
        for (Thread caller : callers) {
            if (caller != Thread.currentThread()) {
                return true;
            }
        }
        return false;
    }
}
