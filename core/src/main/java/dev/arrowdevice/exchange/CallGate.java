package dev.arrowdevice.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Knows which threads call a peer at the moment, for who must wait until they have returned. */
final class CallGate {
    private final List<Thread> callers = new ArrayList<>(2);

    /** A call begins; {@link #leave} must follow on the same thread. */
    synchronized void enter() {
        callers.add(Thread.currentThread());
    }

    synchronized void leave() {
        callers.remove(Thread.currentThread());
        notifyAll();
    }

    /**
     * Waits for the calls of other threads that are under way: one of this thread's own can't be waited for. Whoever
     * enters later must see what was written before.
     *
     * @param seconds how long; a call that takes longer may be waiting for this very thread
     */
    synchronized void awaitOthers(long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        boolean interrupted = false;
        while (callers.stream().anyMatch(caller -> caller != Thread.currentThread())) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
