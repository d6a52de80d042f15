package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.memory.LateFailures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Releases memory that foreign code has used, after all work of the device. One wait is for all that was released before it
 * began, so that at most two threads wait, however long the work takes.
 */
final class ForeignUses {
    private final DeviceDriver driver;
    private final Object waiting = new Object();
    private @Nullable Batch open;

    ForeignUses(DeviceDriver driver) {
        this.driver = driver;
    }

    /** What is released together. */
    private static final class Batch extends ReferenceCounted {
        private final List<ReferenceCounted> owners = new ArrayList<>();

        @Override
        protected void free() {
            for (ReferenceCounted owner : owners) {
                LateFailures.reporting(owner::release); // They belong to different exports.
            }
        }

        @Override
        public String toString() {
            return owners.toString();
        }
    }

    synchronized void release(ReferenceCounted owner) {
        Batch batch = open;
        if (batch != null) {
            batch.owners.add(owner);
            return;
        }
        Batch made = new Batch();
        made.owners.add(owner);
        open = made;
        DeferredRelease.afterWait(() -> await(made), made, () -> {});
    }

    private void await(Batch batch) {
        synchronized (waiting) {
            seal(batch);
            driver.synchronizeDevice();
        }
    }

    private synchronized void seal(Batch batch) {
        if (open == batch) {
            open = null;
        }
    }
}
