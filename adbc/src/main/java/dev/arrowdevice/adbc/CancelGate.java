package dev.arrowdevice.adbc;

/**
 * Keeps an object from being released while another thread cancels it. A cancel takes no lock that a call of the driver
 * holds, and a release waits for a cancel, which is short.
 */
final class CancelGate {
    private boolean closed;

    synchronized void cancel(String operation, AdbcObject object, Runnable call) {
        if (closed) {
            throw new IllegalStateException(operation + ": the " + object + " has been closed");
        }
        call.run();
    }

    synchronized void close(Runnable release) {
        closed = true;
        release.run();
    }
}
