package dev.arrowdevice.rocm;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import java.util.function.IntSupplier;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls of HIP for one device, which HIP wants to be current in the calling thread; failures become exceptions. */
final class CurrentDevice {
    private static final int SUCCESS = 0;
    private static final int OUT_OF_MEMORY = 2;

    private final HipLibrary library;
    private final HipCalls calls;
    private final Device device;
    private final int ordinal;

    CurrentDevice(HipLibrary library, Device device) {
        this.library = library;
        this.calls = library.calls;
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

    /** Makes a call that writes an address or handle to where it is told. */
    long create(HipFunction function, LongToIntFunction call) {
        long out = CHeap.allocate(Long.BYTES);
        try {
            run(function, () -> call.applyAsInt(out));
            return RawMemory.getLong(out);
        } finally {
            CHeap.free(out);
        }
    }

    /** Makes a call with the device current in the thread, and afterwards the one that was. */
    void run(HipFunction function, IntSupplier call) {
        call(() -> {
            check(function, call.getAsInt());
            return null;
        });
    }

    /** The same for a call that gives something back, which is tried on a device too that is lost. */
    void giveBack(HipFunction function, IntSupplier call) {
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
        long out = CHeap.allocate(Integer.BYTES);
        try {
            return calls.call(HipFunction.GET_DEVICE, out) == SUCCESS ? RawMemory.getInt(out) : -1;
        } finally {
            CHeap.free(out);
        }
    }

    private void makeCurrent(int previous) {
        if (previous != ordinal) {
            check(HipFunction.SET_DEVICE, calls.call(HipFunction.SET_DEVICE, ordinal));
        }
    }

    private void restore(int previous) {
        if (previous != ordinal && previous >= 0) {
            calls.call(HipFunction.SET_DEVICE, previous);
        }
    }

    private void check(HipFunction function, int code) {
        if (code != SUCCESS) {
            throw failure(function, code);
        }
    }

    DeviceException failure(HipFunction function, int code) {
        forget(code);
        String error = library.errorText(code);
        return code == OUT_OF_MEMORY
                ? new OutOfDeviceMemoryException(device, function.symbol, code, error)
                : new DeviceException(device, function.symbol, code, error);
    }

    /**
     * Takes an error of ours out of the thread's memory, where the caller's own code would find it when it asks
     * {@code hipGetLastError} after a kernel launch; since ROCm 7 it stays there until somebody asks.
     */
    void forget(int code) {
        if (calls.has(HipFunction.PEEK_AT_LAST_ERROR)
                && calls.has(HipFunction.GET_LAST_ERROR)
                && calls.call(HipFunction.PEEK_AT_LAST_ERROR) == code) {
            calls.call(HipFunction.GET_LAST_ERROR);
        }
    }
}
