package dev.arrowdevice.rocm;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.spi.NativeAllocation;
import java.util.function.IntSupplier;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of HIP for one device. HIP needs the device to be current in the calling thread; a failure becomes an
 * exception.
 */
final class HipCalls {
    private static final int SUCCESS = 0;
    private static final int OUT_OF_MEMORY = 2;
    private static final int ECC_NOT_CORRECTABLE = 214;
    private static final int ILLEGAL_ADDRESS = 700;
    private static final int LAUNCH_TIME_OUT = 702;
    private static final int ASSERT = 710;
    private static final int LAUNCH_FAILURE = 719;

    private final HipLibrary library;
    private final HipApi api;
    private final Device device;
    private final int ordinal;

    HipCalls(HipLibrary library, Device device) {
        this.library = library;
        this.api = library.api;
        this.device = device;
        this.ordinal = (int) device.id();
    }

    /** Runs an action with the device current in the thread. */
    <T extends @Nullable Object> T call(Supplier<T> action) {
        int previous = currentDevice();
        try {
            makeCurrent(previous);
            return action.get();
        } finally {
            restore(previous);
        }
    }

    /** Makes a call that writes an address or a handle, and returns what it wrote. */
    long create(String function, LongToIntFunction call) {
        try (NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
            run(function, () -> call.applyAsInt(out.getAddress()));
            return out.getLong(0);
        }
    }

    /** Makes a call with the device current in the thread. Afterwards the earlier device is current again. */
    void run(String function, IntSupplier call) {
        call(() -> {
            check(function, call.getAsInt());
            return null;
        });
    }

    /** Makes a call that frees or destroys something. It is made even if the device is lost. */
    void free(String function, IntSupplier call) {
        int previous = currentDevice();
        try {
            try {
                makeCurrent(previous);
            } finally {
                check(function, call.getAsInt());
            }
        } finally {
            restore(previous);
        }
    }

    private int currentDevice() {
        try (NativeAllocation out = NativeAllocation.allocate(Integer.BYTES)) {
            return api.hipGetDevice(out.getAddress()) == SUCCESS ? out.getInt(0) : -1;
        }
    }

    private void makeCurrent(int previous) {
        if (previous != ordinal) {
            check("hipSetDevice", api.hipSetDevice(ordinal));
        }
    }

    private void restore(int previous) {
        if (previous != ordinal && previous >= 0) {
            api.hipSetDevice(previous);
        }
    }

    private void check(String function, int code) {
        if (code != SUCCESS) {
            throw failure(function, code);
        }
    }

    DeviceException failure(String function, int code) {
        library.forget(code);
        String error = library.errorText(code);
        return code == OUT_OF_MEMORY
                ? new OutOfDeviceMemoryException(device, function, code, error)
                : new DeviceException(device, function, code, error, isOfWork(code));
    }

    /**
     * Whether a code says that queued work has failed. All other codes may be the refusal of a call, after which the
     * work goes on. {@code hipErrorContextIsDestroyed} is one of them: HIP returns it for a stream that does not exist.
     */
    static boolean isOfWork(int code) {
        switch (code) {
            case ECC_NOT_CORRECTABLE:
            case ILLEGAL_ADDRESS:
            case LAUNCH_TIME_OUT:
            case ASSERT:
            case LAUNCH_FAILURE:
                return true;
            default:
                return false;
        }
    }
}
