package dev.arrowdevice.python;

import dev.arrowdevice.spi.ReleaseGate;
import dev.arrowdevice.spi.Releases;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The end of the Python that hosts this JVM. The process then unloads the libraries that own arrays in Java, while threads of
 * Java still run. A later release would end the process with a signal. So nothing foreign is released after the end; the
 * memory is freed with the process.
 */
final class InterpreterEnd implements ReleaseGate {
    /** A process has one Python, which ends once. */
    private static final InterpreterEnd OF_PROCESS = new InterpreterEnd();

    static {
        Releases.install(OF_PROCESS);
    }

    /** Releases under way. */
    private final AtomicInteger calls = new AtomicInteger();

    private volatile boolean ended;

    InterpreterEnd() {}

    /** The one of this process. From the first call on, every release asks it. */
    static InterpreterEnd ofProcess() {
        return OF_PROCESS;
    }

    @Override
    public boolean enter() {
        calls.incrementAndGet();
        if (!ended) {
            return true;
        }
        leave();
        return false;
    }

    @Override
    public void leave() {
        if (calls.decrementAndGet() == 0 && ended) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Lets no release begin any more, and waits for those that are under way on other threads. */
    void end() {
        ended = true;
        boolean interrupted = false;
        synchronized (this) {
            while (calls.get() > 0) {
                try {
                    wait();
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
