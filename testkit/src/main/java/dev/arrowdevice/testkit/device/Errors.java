package dev.arrowdevice.testkit.device;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The errors of a simulated device, and the mistakes of its users. Thread-safe. */
final class Errors {
    /**
     * A failure of the device. Each report throws a new exception made of it, with the stack of the thread that gets
     * it.
     */
    record Failure(Operation operation, int code, String text) {}

    private static final int OUT_OF_MEMORY = 2;
    private static final int LAUNCH_FAILED = 719;
    private static final int LOST = 46;
    private static final int INJECTED = 999;
    private static final int MISUSE = 1;

    private final Device device;
    private final List<String> misuse = new ArrayList<>();

    Errors(Device device) {
        this.device = device;
    }

    Failure injected(Operation operation) {
        boolean allocates = operation == Operation.ALLOCATE
                || operation == Operation.ALLOCATE_STAGING
                || operation == Operation.ALLOCATE_ASYNC;
        return allocates
                ? new Failure(operation, OUT_OF_MEMORY, "OUT_OF_MEMORY: the test requested this")
                : new Failure(operation, INJECTED, "FAILED: the test requested this");
    }

    Failure outOfMemory(Operation operation, long byteSize, long free) {
        return new Failure(operation, OUT_OF_MEMORY, "OUT_OF_MEMORY: " + byteSize + " bytes wanted, " + free + " free");
    }

    Failure lost(Operation operation) {
        return new Failure(operation, LOST, "DEVICE_LOST: the device was lost");
    }

    Failure thrown(Operation operation, Throwable thrown) {
        return new Failure(operation, LAUNCH_FAILED, "LAUNCH_FAILED: the kernel threw " + thrown);
    }

    /** Notes a mistake of a user. */
    synchronized Failure misuse(Operation operation, String text) {
        misuse.add(name(operation) + ": " + text);
        return new Failure(operation, MISUSE, "MISUSE: " + text);
    }

    synchronized List<String> takeMisuse() {
        List<String> taken = List.copyOf(misuse);
        misuse.clear();
        return taken;
    }

    DeviceException exception(Failure failure) {
        String operation = name(failure.operation);
        return failure.code == OUT_OF_MEMORY
                ? new OutOfDeviceMemoryException(device, operation, failure.code, failure.text)
                : new DeviceException(device, operation, failure.code, failure.text, isOfWork(failure));
    }

    /** Whether work failed, and not only a call. */
    private static boolean isOfWork(Failure failure) {
        return failure.operation.isWork() || failure.code == LOST;
    }

    private static String name(Operation operation) {
        return operation.name().toLowerCase(Locale.ROOT);
    }
}
