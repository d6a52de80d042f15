package dev.arrowdevice.internal.abi;

import java.lang.invoke.MethodHandles;

/**
 * Java actions that a driver calls back from its own thread: each runs once, after the driver was given a stub's address
 * and the action's number as {@code userData}.
 */
public final class HostFunction {
    /** {@code void (*)(void *userData)}: {@code CUhostFn}, {@code hipHostFn_t}. */
    public static final long STUB = Stubs.stub(MethodHandles.lookup(), "call", void.class, long.class);

    /** {@code void (*)(stream, status, void *userData)}: {@code CUstreamCallback}, {@code hipStreamCallback_t}. */
    public static final long STREAM_CALLBACK_STUB =
            Stubs.stub(MethodHandles.lookup(), "callOnStream", void.class, long.class, int.class, long.class);

    private static final SlotTable<Runnable> PENDING = new SlotTable<>();

    private HostFunction() {}

    /** Keeps an action until it is called or {@linkplain #forget forgotten}; the result is its {@code userData}. */
    public static long register(Runnable action) {
        return PENDING.add(action);
    }

    /** Forgets an action that will not be called, because the driver refused it. */
    public static void forget(long userData) {
        PENDING.remove(userData);
    }

    private static void call(long userData) {
        try {
            Runnable action = PENDING.get(userData);
            if (action != null) {
                PENDING.remove(userData);
                CallbackThread.run(action);
            }
        } catch (Throwable e) {
            // An exception that leaves a callback would end the process.
            Stubs.report("of a device's driver", e);
        }
    }

    private static void callOnStream(long stream, int status, long userData) {
        call(userData);
    }
}
