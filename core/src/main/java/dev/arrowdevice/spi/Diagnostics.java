package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.internal.memory.LateFailures;
import dev.arrowdevice.internal.memory.Leaks;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong where nobody can be told by an exception. It goes to the loggers {@code dev.arrowdevice.leaks},
 * {@code .releases}, {@code .callbacks} and {@code .shutdown} of {@link System.Logger}, to events of Flight Recorder of the
 * same group and to {@link dev.arrowdevice.ArrowCounters}. A test may listen in place of the log.
 */
public final class Diagnostics {
    private Diagnostics() {}

    /**
     * An owner that was never closed. The garbage collector found it, and it was released.
     *
     * @param description what it was
     * @param allocation where it was made, if {@linkplain #captureStacks stacks are captured}
     */
    public record Leak(String description, @Nullable Throwable allocation) {}

    /**
     * Whether the stack of the maker is kept with each new owner and each export (some microseconds each). Starts as the
     * system property {@code dev.arrowdevice.leakStacks}.
     */
    public static void captureStacks(boolean on) {
        Leaks.captureStacks(on);
    }

    /**
     * Who is told of each leak from now on, on a daemon thread, in place of the log.
     *
     * @return who was told before
     */
    public static Consumer<Leak> onLeak(Consumer<Leak> listener) {
        return Leaks.onLeak(listener);
    }

    /**
     * Who is told from now on of a device's failures while memory, queues or events are released, on the thread that
     * released, in place of the log.
     *
     * @return who was told before
     */
    public static Consumer<DeviceException> onLateFailure(Consumer<DeviceException> listener) {
        return LateFailures.onFailure(listener);
    }

    /** Tells of a failure that nobody waits for, as a runtime does of its own releases. Never throws. */
    public static void lateFailure(Throwable failure) {
        LateFailures.report(failure);
    }
}
