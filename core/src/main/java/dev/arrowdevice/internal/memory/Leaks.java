package dev.arrowdevice.internal.memory;

import dev.arrowdevice.internal.abi.SlotTable;
import dev.arrowdevice.internal.diagnostics.Flight;
import dev.arrowdevice.internal.diagnostics.Log;
import dev.arrowdevice.spi.Diagnostics.Leak;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
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
    private static volatile Consumer<Leak> listener = Leaks::log;

    static {
        Thread thread = new Thread(null, Leaks::releaseLost, "arrow-device-leaks", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    private Leaks() {}

    /**
     * Whether the stack of the maker is kept with each new owner (some microseconds each). Starts as the system property
     * {@code dev.arrowdevice.leakStacks}.
     */
    public static void captureStacks(boolean on) {
        captureStacks = on;
    }

    /**
     * Who is told of each leak from now on, on a daemon thread, in place of the log.
     *
     * @return who was told before
     */
    public static synchronized Consumer<Leak> onLeak(Consumer<Leak> newListener) {
        Consumer<Leak> before = listener;
        listener = newListener;
        return before;
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
     * The net under one owner, and the place of what is to be released when the owner is lost. The same as a
     * {@link java.lang.ref.Cleaner} does, at a third of the price: owners are made and closed millions of times a second.
     *
     * <p>Most owners are closed before the garbage collector runs at all, so that the net begins as an ordinary reference,
     * which keeps the owner. Of those that are there after a collection the net lets go, and has the collector say when
     * nobody else keeps them.
     */
    public abstract static class Watch {
        private final long number;

        /** The owner, and later the {@link LeakReference} to it. Written by the thread of the net only. */
        private Object owner;

        /** Spreads the net under an owner, whose loss is the leak. */
        @SuppressWarnings("this-escape") // The table only keeps it; nobody looks at it before the owner is lost.
        protected Watch(Object owner) {
            this.owner = owner;
            number = WATCHED.add(this);
        }

        private void weaken() {
            if (!(owner instanceof LeakReference)) {
                owner = new LeakReference(owner, this);
            }
        }

        /** Takes the net away; to be called once, when the owner has been closed. */
        public final void end() {
            WATCHED.remove(number);
        }

        /** Releases what the lost owner held, ends the watch and says what the owner was; null if it had been closed. */
        protected abstract @Nullable Leak releaseLeaked();
    }

    /** Says when nothing else refers to an owner. */
    private static final class LeakReference extends PhantomReference<Object> {
        final Watch watch;

        LeakReference(Object owner, Watch watch) {
            super(owner, LOST);
            this.watch = watch;
        }
    }

    private static void countForFlightRecorder() {
        try {
            if (Flight.IS_AVAILABLE) {
                CountersOnRecord.install();
            }
        } catch (Throwable e) {
            Log.LEAKS.tell("the counters can't be recorded", e); // The net does without.
        }
    }

    private static void report(@Nullable Leak leak) {
        if (leak != null) {
            try {
                Flight.leak(leak.description(), leak.allocation());
                listener.accept(leak);
            } finally {
                FOUND.increment(); // Last, so that who sees the count knows that the leak was told of.
            }
        }
    }

    private static void log(Leak leak) {
        Throwable allocation = leak.allocation();
        String hint = allocation == null
                ? " (run with -Ddev.arrowdevice.leakStacks=true to see where it was made)"
                : "; it was made here:";
        Log.LEAKS.tell("leaked " + leak.description() + ": close() it" + hint, allocation);
    }

    /**
     * Watches for two events: the end of a garbage collection, which is that an object was lost that nobody ever had, and
     * the loss of an owner.
     */
    private static void releaseLost() {
        countForFlightRecorder();
        Reference<?> collection = null;
        while (true) {
            try {
                if (collection == null) {
                    collection = new PhantomReference<>(new Object(), LOST);
                }
                Reference<?> lost = LOST.remove();
                if (lost == collection) {
                    collection = null;
                    WATCHED.forEach(Watch::weaken);
                } else {
                    report(((LeakReference) lost).watch.releaseLeaked());
                }
            } catch (InterruptedException e) {
                // Nobody else may end this thread: the net is there as long as the process.
            } catch (Throwable e) {
                Log.LEAKS.tell("exception after a leak was found", e);
            }
        }
    }
}
