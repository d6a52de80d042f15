package dev.arrowdevice.oneapi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.spi.Diagnostics;
import dev.arrowdevice.spi.NativeCallback;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Calls of dpctl for one device; a failure becomes an exception. dpctl passes no error codes on. SYCL passes errors of
 * queued work to the queue's handler, in the thread that waits. A queue without a handler would end the process.
 */
final class SyclCalls {
    /** Stands for an error code that is not known. */
    static final int NO_CODE = -1;

    private static final String NO_REASON =
            "dpctl passes no code on; with DPCTL_VERBOSITY=error in the environment it prints SYCL's message";

    /** {@code void (*)(int)}, the handler that {@code DPCTLQueue_Create} takes. */
    static final long HANDLER = NativeCallback.of(MethodHandles.lookup(), "handle", void.class, int.class);

    private static final ThreadLocal<int @Nullable []> WAITING = new ThreadLocal<>();

    private final Device device;

    SyclCalls(Device device) {
        this.device = device;
    }

    /** The reference that a call returned; throws if it is 0, which means that the call failed. */
    long given(String function, long reference) {
        if (reference == 0) {
            throw failure(function);
        }
        return reference;
    }

    /** The failure of a call that reports no reason. Work that was queued before may still run. */
    DeviceException failure(String function) {
        return failure(function, NO_REASON);
    }

    DeviceException failure(String function, String reason) {
        return new DeviceException(device, function, NO_CODE, reason);
    }

    /**
     * Makes a call that waits.
     *
     * @throws DeviceException if queued work has failed and this thread's handler was called
     */
    void await(String function, Runnable wait) {
        int[] seen = new int[2];
        WAITING.set(seen);
        try {
            wait.run();
        } finally {
            WAITING.remove();
        }
        if (seen[0] > 0) {
            throw new DeviceException(device, function, seen[1], "an error of queued work, by SYCL's number", true);
        }
    }

    private static void handle(int code) {
        int[] seen = WAITING.get();
        if (seen == null) {
            Diagnostics.lateFailure(
                    new IllegalStateException("oneAPI: queued work failed with " + code + ", and nobody waits for it"));
        } else if (seen[0]++ == 0) {
            seen[1] = code;
        }
    }
}
