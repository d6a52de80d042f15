package dev.arrowdevice.internal.memory;

/**
 * The limit of reserved native bytes above which the garbage collector is asked to find owners that were forgotten. The
 * collector knows nothing of native memory: a program that forgets batches may have gigabytes of them, and a heap that
 * is nearly empty.
 */
final class ReservedLimit {
    /** Memory of fewer bytes is not asked for: adding up the bytes would take as long as allocating them. */
    static final long LEAST_ALLOCATION = 64L << 10;

    private static final long LIMIT = limit();

    /** The number of bytes to ask at. It rises if the collector finds little, so that a program that needs much is not slowed down. */
    private static volatile long next = LIMIT;

    private ReservedLimit() {}

    /** Called after an allocation. */
    static void reserved(long total) {
        if (total > next) {
            next = Long.MAX_VALUE; // Until the collector has run. If two threads ask at the same time, it runs once.
            try {
                Leaks.collect();
            } catch (OutOfMemoryError e) {
                next = total; // The heap is full, so the collector runs anyway. The allocation must not fail here.
            }
        }
    }

    /**
     * Called after a collection that was asked for, when what it found has been released.
     *
     * @param left the bytes that are reserved now, also those since the collection
     * @param found the bytes of the owners that were found
     * @return whether to collect again: much was forgotten, so what was allocated meanwhile may be forgotten too
     */
    static boolean collected(long left, long found) {
        if (left >= LIMIT && found >= left / 4) {
            return true;
        }
        next = left < LIMIT ? LIMIT : left + left / 2;
        return false;
    }

    private static long limit() {
        Long given = Long.getLong("dev.arrowdevice.collectAbove");
        long limit = given == null ? Runtime.getRuntime().maxMemory() / 2 : given;
        return limit > 0 ? limit : Long.MAX_VALUE;
    }
}
