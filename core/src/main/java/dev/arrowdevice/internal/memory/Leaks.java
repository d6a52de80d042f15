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
 * Finds owners that were never closed. When the garbage collector finds one, it is closed and reported. Programs must
 * not rely on this: it happens late or, at the end of the process, never.
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
     * Whether to keep a stack trace with each new owner, which takes some microseconds each. The system property
     * {@code dev.arrowdevice.leakStacks} sets the initial value.
     */
    public static void captureStacks(boolean on) {
        captureStacks = on;
    }

    /**
     * Sets the listener that receives each leak, on a daemon thread, in place of the log.
     *
     * @return the previous listener
     */
    public static synchronized Consumer<Leak> onLeak(Consumer<Leak> newListener) {
        Consumer<Leak> before = listener;
        listener = newListener;
        return before;
    }

    /** The number of leaks that the garbage collector has found. */
    public static long found() {
        return FOUND.sum();
    }

    /** A stack trace of the caller if stacks are captured, otherwise null. */
    public static @Nullable Throwable allocationStack() {
        return captureStacks ? new Throwable("allocated here") : null;
    }

    /**
     * Watches one owner, and keeps what must be released when the owner is lost. It does what a
     * {@link java.lang.ref.Cleaner} does at a third of the cost, because owners are made and closed millions of times a
     * second.
     *
     * <p>Most owners are closed before the garbage collector runs at all. So a watch begins with an ordinary reference,
     * which keeps the owner. After a collection, the references to the owners that are still there become phantom
     * references. The collector then reports when nothing else refers to an owner.
     */
    public abstract static class Watch {
        private final long number;

        /** The owner, and later the {@link LeakReference} to it. Written only by the thread that finds leaks. */
        private Object owner;

        /** Watches an owner. */
        @SuppressWarnings("this-escape") // The table only keeps the watch; nobody uses it before the owner is lost.
        protected Watch(Object owner) {
            this.owner = owner;
            number = WATCHED.add(this);
        }

        private void weaken() {
            if (!(owner instanceof LeakReference)) {
                owner = new LeakReference(owner, this);
            }
        }

        /** Ends the watch. Called once, when the owner has been closed. */
        public final void end() {
            WATCHED.remove(number);
        }

        /**
         * Releases what the lost owner had, ends the watch, and returns a description of the owner, or null if it was
         * closed.
         */
        protected abstract @Nullable Leak releaseLeaked();
    }

    /** A reference to an owner that nothing else refers to any more. */
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
            Log.LEAKS.report("the counters can't be recorded", e); // The search for leaks does without the recording.
        }
    }

    private static void report(@Nullable Leak leak) {
        if (leak != null) {
            try {
                Flight.leak(leak.description(), leak.allocation());
                listener.accept(leak);
            } finally {
                FOUND.increment(); // Last, so that whoever sees the count knows that the leak was reported.
            }
        }
    }

    private static void log(Leak leak) {
        Throwable allocation = leak.allocation();
        String hint = allocation == null
                ? " (run with -Ddev.arrowdevice.leakStacks=true to see where it was made)"
                : "; it was made here:";
        Log.LEAKS.report("leaked " + leak.description() + ": close() it" + hint, allocation);
    }

    /**
     * Waits for two events. One is the end of a garbage collection, which is seen by the loss of an object that nobody
     * ever had. The other is the loss of an owner.
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
                    DeferredRelease.releasePostponed();
                    WATCHED.forEach(Watch::weaken);
                } else {
                    report(((LeakReference) lost).watch.releaseLeaked());
                }
            } catch (InterruptedException e) {
                // Ignored: this thread lives as long as the process.
            } catch (Throwable e) {
                reportQuietly(e);
            }
        }
    }

    /** When the heap is full, a report fails too, and this thread must go on. */
    private static void reportQuietly(Throwable failure) {
        try {
            Log.LEAKS.report("exception after a leak was found", failure);
        } catch (Throwable e) {
            // There is no memory for a report.
        }
    }
}
