package dev.arrowdevice.memory;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last net under owners that were never closed: when the garbage collector finds one, it is closed and reported.
 * The net is no plan: it acts late or, at the end of the process, never.
 */
public final class Leaks {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final LongAdder FOUND = new LongAdder();
    private static volatile boolean captureStacks = Boolean.getBoolean("dev.arrowdevice.leakStacks");
    private static volatile Consumer<Leak> listener = leak -> System.err.println(leak);

    private Leaks() {}

    /**
     * An owner that was never closed.
     *
     * @param description what it was
     * @param allocation where it was made, if {@linkplain #captureStacks stacks are captured}
     */
    public record Leak(String description, @Nullable Throwable allocation) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("arrow-device: leaked ")
                    .append(description)
                    .append(": close() it");
            if (allocation == null) {
                return text.append(" (run with -Ddev.arrowdevice.leakStacks=true to see where it was made)")
                        .toString();
            }
            for (StackTraceElement frame : allocation.getStackTrace()) {
                text.append("\n    at ").append(frame);
            }
            return text.toString();
        }
    }

    /**
     * Whether the stack of the maker is kept with each new owner (some microseconds each). Starts as the system property
     * {@code dev.arrowdevice.leakStacks}.
     */
    public static void captureStacks(boolean on) {
        captureStacks = on;
    }

    /** Who is told of each leak, on a daemon thread; in the beginning, standard error. Must not throw. */
    public static void onLeak(Consumer<Leak> newListener) {
        listener = newListener;
    }

    /** How many leaks the garbage collector has found so far. */
    public static long found() {
        return FOUND.sum();
    }

    /** A stack trace of the caller if stacks are captured, else null. */
    public static @Nullable Throwable allocationStack() {
        return captureStacks ? new Throwable("allocated here") : null;
    }

    /**
     * Spreads the net under an owner.
     *
     * @param owner the object whose loss is the leak
     * @param release called once the owner is lost, or when the result is cleaned; must not refer to the owner
     */
    public static Cleaner.Cleanable watch(Object owner, Release release) {
        return CLEANER.register(owner, () -> {
            Leak leak = release.releaseLeaked();
            if (leak != null) {
                FOUND.increment();
                listener.accept(leak);
            }
        });
    }

    /** What the net does with an owner that the garbage collector found. */
    @FunctionalInterface
    public interface Release {
        /** Releases what the lost owner held and says what it was; null if it had been closed. */
        @Nullable
        Leak releaseLeaked();
    }
}
