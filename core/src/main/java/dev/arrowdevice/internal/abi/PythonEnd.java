package dev.arrowdevice.internal.abi;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The end of the Python that hosts this JVM. The process then takes the libraries down whose arrays Java holds, while threads
 * of Java go on: a release that comes later would end the process with a signal. From the end on nothing foreign is released
 * any more, which a process may do that ends.
 */
final class PythonEnd {
    private static final Object LOCK = new Object();
    /** Releases under way. */
    private static final AtomicInteger CALLS = new AtomicInteger();
    /** Whether there is a Python: else nothing is counted. */
    private static volatile boolean possible;

    private static volatile boolean ended;

    private PythonEnd() {}

    /** Says that there is a Python. */
    static void setPossible() {
        possible = true;
    }

    /** Whether {@link #enter} has to be asked. */
    static boolean isPossible() {
        return possible;
    }

    /**
     * Before something foreign is released.
     *
     * @return whether it may be, and {@link #leave} must follow
     */
    static boolean enter() {
        CALLS.incrementAndGet();
        if (!ended) {
            return true;
        }
        leave();
        return false;
    }

    /** After something foreign was released. */
    static void leave() {
        if (CALLS.decrementAndGet() == 0 && ended) {
            synchronized (LOCK) {
                LOCK.notifyAll();
            }
        }
    }

    /** Lets no release begin any more, and waits for those that are under way on other threads. */
    static void end() {
        ended = true;
        boolean interrupted = false;
        synchronized (LOCK) {
            while (CALLS.get() > 0) {
                try {
                    LOCK.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
