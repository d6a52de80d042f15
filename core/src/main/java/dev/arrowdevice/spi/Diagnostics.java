package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.memory.LateFailures;
import dev.arrowdevice.internal.memory.Leaks;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Failures that no caller can catch. They are reported to the loggers {@code dev.arrowdevice.leaks}, {@code .releases},
 * {@code .callbacks} and {@code .shutdown} of {@link System.Logger}, to events of Flight Recorder of the same group,
 * and counted in {@link dev.arrowdevice.ArrowCounters}. Tests may listen in place of the log.
 */
public final class Diagnostics {
    private Diagnostics() {}

    /**
     * An owner that was never closed. The garbage collector found it, and it was released.
     *
     * @param description what was leaked
     * @param allocation where it was made, if {@linkplain #captureStacks stacks are captured}
     */
    public record Leak(String description, @Nullable Throwable allocation) {}

    /**
     * Whether to keep a stack trace with each new owner and each export, which takes some microseconds each. The system
     * property {@code dev.arrowdevice.leakStacks} sets the initial value.
     */
    public static void captureStacks(boolean on) {
        Leaks.captureStacks(on);
    }

    /**
     * Sets the listener that receives each leak, on a daemon thread, in place of the log.
     *
     * @return the previous listener
     */
    public static Consumer<Leak> onLeak(Consumer<Leak> listener) {
        return Leaks.onLeak(listener);
    }

    /**
     * Sets the listener that receives the failures of devices while memory, queues or events are released, on the
     * releasing thread, in place of the log.
     *
     * @return the previous listener
     */
    public static Consumer<DeviceException> onLateFailure(Consumer<DeviceException> listener) {
        return LateFailures.onFailure(listener);
    }

    /** Reports a failure that no caller can catch, such as one of a runtime's own releases. Never throws. */
    public static void lateFailure(Throwable failure) {
        LateFailures.report(failure);
    }
}
