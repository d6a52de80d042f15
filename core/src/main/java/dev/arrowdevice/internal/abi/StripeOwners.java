package dev.arrowdevice.internal.abi;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which thread alone adds to a stripe of each {@link SlotTable}. A thread becomes the owner of its stripe when it adds
 * for the first time, if there is no owner that is alive.
 */
final class StripeOwners {
    /** The owners of the stripes of all tables. */
    static final StripeOwners OF_ALL_TABLES = new StripeOwners(32);

    private final int count;

    /** The threads themselves: a thread may say any number of itself, because {@code getId} is not final. */
    private final AtomicReferenceArray<@Nullable WeakReference<Thread>> threads;

    /** @param count the number of stripes, a power of two, or 0 */
    StripeOwners(int count) {
        this.count = count;
        this.threads = new AtomicReferenceArray<>(count);
    }

    /** The number of stripes that have an owner. As many more are shared, at least one. */
    int count() {
        return count;
    }

    /** Whether a thread, which must be the current one, is the owner of a stripe. */
    boolean owns(Thread current, int stripe) {
        WeakReference<Thread> owner = threads.get(stripe);
        return owner != null && owner.refersTo(current) || becomesOwner(current, stripe);
    }

    /**
     * The end of the last owner happened before this, because {@code isAlive} says so. So what it wrote to the stripe is
     * seen.
     */
    private boolean becomesOwner(Thread current, int stripe) {
        WeakReference<Thread> known = threads.get(stripe);
        Thread owner = known == null ? null : known.get();
        return (owner == null || !owner.isAlive())
                && threads.compareAndSet(stripe, known, new WeakReference<>(current));
    }
}
