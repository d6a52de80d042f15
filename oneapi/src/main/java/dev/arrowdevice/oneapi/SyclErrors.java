package dev.arrowdevice.oneapi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.spi.Diagnostics;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Errors of work that was queued. SYCL hands them to a queue's handler in the thread that waits; a queue without a handler
 * would end the process.
 */
final class SyclErrors {
    /** {@code void (*)(int)}, what {@code DPCTLQueue_Create} takes as the handler. */
    static final long HANDLER = stub();

    private static final ThreadLocal<int @Nullable []> WAITING = new ThreadLocal<>();

    private SyclErrors() {}

    /**
     * Makes a call that waits.
     *
     * @throws DeviceException if work has failed that this thread was told of meanwhile
     */
    static void rethrowing(Device device, SyclFunction function, Runnable wait) {
        int[] seen = new int[2];
        WAITING.set(seen);
        try {
            wait.run();
        } finally {
            WAITING.remove();
        }
        if (seen[0] > 0) {
            throw new DeviceException(device, function.symbol, seen[1], "an error of queued work, by SYCL's number");
        }
    }

    /** Must not throw: an exception that leaves a callback ends the process. */
    private static void handle(int code) {
        try {
            int[] seen = WAITING.get();
            if (seen == null) {
                Diagnostics.lateFailure(new IllegalStateException(
                        "oneAPI: queued work failed with " + code + ", and nobody waits for it"));
            } else if (seen[0]++ == 0) {
                seen[1] = code;
            }
        } catch (Throwable e) {
            Diagnostics.lateFailure(e);
        }
    }

    @SuppressWarnings("restricted") // an upcall: what the flag --enable-native-access is for
    private static long stub() {
        try {
            return Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            SyclErrors.class, "handle", MethodType.methodType(void.class, int.class)),
                            FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT),
                            Arena.global())
                    .address();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
