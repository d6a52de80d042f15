package dev.arrowdevice.adbc;

/**
 * Keeps an object from being released while another thread cancels it. A cancel takes no lock that a call of the driver
 * holds, and a release waits for a cancel, which is short. A cancel does not wait for a release: it is refused.
 */
final class CancelGate {
    private boolean closed;

    synchronized void cancel(String operation, AdbcObject object, Runnable call) {
        if (closed) {
            throw new IllegalStateException(operation + ": the " + object + " has been closed");
        }
        call.run();
    }

    /** Waits for a cancel, and lets no other begin. */
    synchronized void close() {
        closed = true;
    }
}
