package dev.arrowdevice.oneapi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.spi.Diagnostics;
import dev.arrowdevice.spi.NativeCallback;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Errors of work that was queued. SYCL hands them to a queue's handler in the thread that waits; a queue without a handler
 * would end the process.
 */
final class SyclErrors {
    /** {@code void (*)(int)}, what {@code DPCTLQueue_Create} takes as the handler. */
    static final long HANDLER = NativeCallback.of(MethodHandles.lookup(), "handle", void.class, int.class);

    private static final ThreadLocal<int @Nullable []> WAITING = new ThreadLocal<>();

    private SyclErrors() {}

    /**
     * Makes a call that waits.
     *
     * @throws DeviceException if work has failed that this thread was told of meanwhile
     */
    static void rethrowing(Device device, String function, Runnable wait) {
        int[] seen = new int[2];
        WAITING.set(seen);
        try {
            wait.run();
        } finally {
            WAITING.remove();
        }
        if (seen[0] > 0) {
            throw new DeviceException(device, function, seen[1], "an error of queued work, by SYCL's number");
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
