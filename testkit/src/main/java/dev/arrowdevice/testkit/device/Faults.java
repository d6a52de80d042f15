package dev.arrowdevice.testkit.device;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The failures that were requested and have not occurred. Thread-safe. */
final class Faults {
    private static final class Fault {
        /** Null for any call. */
        final @Nullable Operation operation;

        int toPass;

        Fault(@Nullable Operation operation, int toPass) {
            this.operation = operation;
            this.toPass = toPass;
        }
    }

    private final List<Fault> armed = new ArrayList<>();

    synchronized void arm(@Nullable Operation operation, int toPass) {
        if (toPass < 0) {
            throw new IllegalArgumentException(toPass + " operations to pass");
        }
        armed.add(new Fault(operation, toPass));
    }

    /** Whether an operation is to fail. */
    synchronized boolean hits(Operation operation) {
        boolean hit = false;
        for (Iterator<Fault> faults = armed.iterator(); faults.hasNext(); ) {
            Fault fault = faults.next();
            boolean meant = fault.operation == null ? !operation.isWork() : fault.operation == operation;
            if (meant && fault.toPass-- == 0) {
                faults.remove();
                hit = true;
            }
        }
        return hit;
    }

    synchronized int clear() {
        int left = armed.size();
        armed.clear();
        return left;
    }
}
