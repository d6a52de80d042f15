package dev.arrowdevice.spi;

import dev.arrowdevice.internal.abi.CallbackThread;
import dev.arrowdevice.internal.abi.SlotTable;
import java.lang.invoke.MethodHandles;

/**
 * Java actions that a driver calls on a thread of its own, for {@link DeviceDriver#callAfter}. The driver gets the
 * address of a function, and the number of the action as {@code userData}. Each action runs once. Needs
 * {@code java.lang.foreign}. All methods may be called from any thread.
 */
public final class DriverCallback {
    private static final SlotTable<Runnable> PENDING = new SlotTable<>();

    private DriverCallback() {}

    /** Initialised at the first use, so that {@link #run} works without {@code java.lang.foreign}. */
    private static final class Functions {
        static final long HOST_FUNCTION = NativeCallback.of(MethodHandles.lookup(), "call", void.class, long.class);
        static final long STREAM_CALLBACK = NativeCallback.of(
                MethodHandles.lookup(), "callOnStream", void.class, long.class, int.class, long.class);

        private Functions() {}

        private static void call(long userData) {
            Runnable action = PENDING.get(userData);
            if (action != null) {
                PENDING.remove(userData);
                DriverCallback.run(action);
            }
        }

        private static void callOnStream(long stream, int status, long userData) {
            call(userData);
        }
    }

    /** The address of a {@code void (*)(void *userData)}: {@code CUhostFn}, {@code hipHostFn_t}. */
    public static long hostFunction() {
        return Functions.HOST_FUNCTION;
    }

    /** The address of a {@code void (*)(stream, status, void *userData)}: {@code CUstreamCallback}, {@code hipStreamCallback_t}. */
    public static long streamCallback() {
        return Functions.STREAM_CALLBACK;
    }

    /** Keeps an action until it is called or {@linkplain #forget forgotten}, and returns its {@code userData}. */
    public static long register(Runnable action) {
        return PENDING.add(action);
    }

    /** Forgets an action that will not be called, because the driver refused it. */
    public static void forget(long userData) {
        PENDING.remove(userData);
    }

    /**
     * Runs an action on a thread on which a driver calls back. Meanwhile nothing in {@code core} calls the driver on
     * this thread; releases are passed to another one.
     */
    public static void run(Runnable action) {
        CallbackThread.run(action);
    }
}
