package dev.arrowdevice.adbc;

import org.jspecify.annotations.Nullable;

/** Closes several objects, all of them even if some fail, and throws the first failure at the end. */
final class Closing implements AutoCloseable {
    private @Nullable RuntimeException failure;

    void close(AdbcObject object) {
        run(object::close);
    }

    void run(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    @Override
    public void close() {
        if (failure != null) {
            throw failure;
        }
    }
}
