package dev.arrowdevice.internal.memory;

import dev.arrowdevice.internal.abi.SlotTable;
import dev.arrowdevice.internal.diagnostics.Flight;
import dev.arrowdevice.internal.diagnostics.Log;
import dev.arrowdevice.spi.Diagnostics.Leak;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
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
        ForgottenOwners.reportAtExit(Leaks::owners);
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

    private static List<Watch> owners() {
        return WATCHED.objects();
    }

    /** Makes another thread run the garbage collector soon, and at most once a second. */
    static void collect() {
        new Request().enqueue();
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
        private final @Nullable Throwable allocation = allocationStack();

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

        /** Where the owner was made, if stacks are captured. */
        final @Nullable Throwable allocation() {
            return allocation;
        }

        /** What the owner is. Reads no memory. */
        protected abstract Lost lost();

        /** Releases what the lost owner had and ends the watch. Returns false, and does nothing, if it was closed. */
        protected abstract boolean releaseLeaked();
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

    /** A reference to nothing: whoever adds it to the queue asks for a collection. */
    private static final class Request extends PhantomReference<Object> {
        Request() {
            super(new Object(), LOST);
        }
    }

    /** The bytes of an owner that was found and has been released now; 0 if it was closed before. */
    private static long release(Watch watch) {
        if (!watch.releaseLeaked()) {
            return 0;
        }
        Lost lost = watch.lost();
        try {
            Leak leak = new Leak(lost.toString(), watch.allocation());
            Flight.leak(leak.description(), leak.allocation());
            listener.accept(leak);
        } catch (Throwable e) {
            reportQuietly(e);
        } finally {
            FOUND.increment(); // Last, so that whoever sees the count knows that the leak was reported.
        }
        return lost.bytes();
    }

    private static void log(Leak leak) {
        Throwable allocation = leak.allocation();
        String hint = allocation == null
                ? " (run with -Ddev.arrowdevice.leakStacks=true to see where it was made)"
                : "; it was made here:";
        Log.LEAKS.report("leaked " + leak.description() + ": close() it" + hint, allocation);
    }

    /**
     * Waits for three events. One is the end of a garbage collection, which is seen by the loss of an object that nobody
     * ever had. Another is the loss of an owner. The third is a request for a collection.
     */
    private static void releaseLost() {
        countForFlightRecorder();
        Reference<?> collection = null;
        Collections collections = new Collections();
        while (true) {
            try {
                if (collection == null) {
                    collection = new PhantomReference<>(new Object(), LOST);
                }
                Reference<?> lost = LOST.remove(collections.millisToWait());
                if (lost == null) {
                    collections.proceed();
                } else if (lost == collection) {
                    collection = null;
                    DeferredRelease.wakeReleaser();
                    WATCHED.forEach(Watch::weaken);
                } else if (lost instanceof Request) {
                    collections.request();
                } else {
                    collections.found(release(((LeakReference) lost).watch));
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

    /** The collections that were asked for. Used by one thread. */
    private static final class Collections {
        private static final long INTERVAL = 1_000_000_000L;
        /** After a collection, what it found comes within this time. */
        private static final long SETTLING_MILLIS = 50;

        private boolean requested;
        private boolean settling;
        private long last = System.nanoTime() - INTERVAL;
        private long found;

        void request() {
            requested = true;
        }

        void found(long bytes) {
            found += bytes;
        }

        /** How long to wait for another event before {@link #proceed}; 0 is for ever. */
        long millisToWait() {
            if (settling) {
                return SETTLING_MILLIS;
            }
            return requested ? Math.max(1, (last + INTERVAL - System.nanoTime()) / 1_000_000) : 0;
        }

        void proceed() {
            if (settling) {
                settling = false;
                requested |= ReservedLimit.collected(HostAllocation.liveBytes(), found);
            } else if (requested) {
                requested = false;
                settling = true;
                found = 0;
                WATCHED.forEach(Watch::weaken);
                System.gc();
                last = System.nanoTime();
            }
        }
    }
}
