package dev.arrowdevice.adbc;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Knows whether a call of a statement runs, so that another thread can cancel that call and wait for its end. */
final class RunningCall {
    private static final long MILLIS_BETWEEN_CANCELS = 20;

    private boolean running;
    private boolean abandoned;

    <R extends @Nullable Object> R run(String operation, Supplier<R> body) {
        synchronized (this) {
            if (abandoned) {
                throw new AdbcException(AdbcStatus.CANCELLED, operation + ": the statement was cancelled", null);
            }
            running = true;
        }
        try {
            return body.get();
        } finally {
            synchronized (this) {
                running = false;
                notifyAll();
            }
        }
    }

    /** Lets no further call begin. */
    synchronized void letNoneBegin() {
        abandoned = true;
    }

    /** Whether no further call can begin. */
    synchronized boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Lets no further call begin, and cancels the one that runs until it returns.
     *
     * @param cancel false if there is no way to cancel
     */
    void abandon(BooleanSupplier cancel) {
        letNoneBegin();
        boolean interrupted = false;
        synchronized (this) {
            // The call can't end during a cancel. So the cancel can't hit the next call of the connection.
            while (running && cancel.getAsBoolean()) {
                try {
                    wait(MILLIS_BETWEEN_CANCELS);
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
