package dev.arrowdevice.internal.abi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what happens often. A thread that {@linkplain StripeOwners owns} a stripe counts there without an atomic
 * operation. Exact once the threads that count have finished.
 */
public final class Tally {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    /** The counts are this many elements apart, so that no two are in neighbouring lines of a cache. */
    private static final int SPACING = 16;

    private final StripeOwners owners = StripeOwners.OF_ALL_TABLES;
    private final long[] counts = new long[(owners.count() + 1) * SPACING];
    private final LongAdder ofOthers = new LongAdder();

    /** Counts one. */
    @SuppressWarnings("deprecation") // Of getId, because Java 17 has no other.
    void increment() {
        Thread current = Thread.currentThread();
        int stripe = (int) current.getId() & owners.count() - 1;
        if (owners.owns(current, stripe)) {
            int index = (stripe + 1) * SPACING;
            COUNT.setOpaque(counts, index, counts[index] + 1);
        } else {
            ofOthers.increment();
        }
    }

    /** The number of all. */
    public long sum() {
        long sum = ofOthers.sum();
        for (int stripe = 0; stripe < owners.count(); stripe++) {
            sum += (long) COUNT.getOpaque(counts, (stripe + 1) * SPACING);
        }
        return sum;
    }
}
