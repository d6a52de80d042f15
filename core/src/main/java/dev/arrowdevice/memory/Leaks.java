package dev.arrowdevice.memory;

import dev.arrowdevice.abi.SlotTable;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last net under owners that were never closed: when the garbage collector finds one, it is closed and reported.
 * The net is no plan: it acts late or, at the end of the process, never.
 */
public final class Leaks {
    private static final ReferenceQueue<Object> LOST = new ReferenceQueue<>();
    private static final SlotTable<Watch> WATCHED = new SlotTable<>();
    private static final LongAdder FOUND = new LongAdder();
    private static volatile boolean captureStacks = Boolean.getBoolean("dev.arrowdevice.leakStacks");
    private static volatile Consumer<Leak> listener = leak -> System.err.println(leak);

    static {
        Thread thread = new Thread(null, Leaks::releaseLost, "arrow-device-leaks", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

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
     * The net under one owner, and the place of what is to be released when the owner is lost: a reference to the owner
     * that does not keep it, kept itself until {@link #end()}. The same as a {@link java.lang.ref.Cleaner} does, at half
     * the price: owners are made and closed millions of times a second.
     */
    public abstract static class Watch extends PhantomReference<Object> {
        private final long number;

        /** Spreads the net under an owner, whose loss is the leak. */
        @SuppressWarnings("this-escape") // The table only keeps it; nobody looks at it before the owner is lost.
        protected Watch(Object owner) {
            super(owner, LOST);
            number = WATCHED.add(this);
        }

        /** Takes the net away; to be called once, when the owner has been closed. */
        public final void end() {
            WATCHED.remove(number);
        }

        /** Releases what the lost owner held, ends the watch and says what the owner was; null if it had been closed. */
        protected abstract @Nullable Leak releaseLeaked();
    }

    private static void releaseLost() {
        while (true) {
            try {
                Leak leak = ((Watch) LOST.remove()).releaseLeaked();
                if (leak != null) {
                    FOUND.increment();
                    listener.accept(leak);
                }
            } catch (InterruptedException e) {
                // Nobody else may end this thread: the net is there as long as the process.
            } catch (Throwable e) {
                System.err.println("arrow-device: exception after a leak was found: " + e);
            }
        }
    }
}
