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

    /** Called after a collection, when what it found has been released. */
    static void collected(long left) {
        next = left < LIMIT ? LIMIT : left + left / 2;
    }

    private static long limit() {
        Long given = Long.getLong("dev.arrowdevice.collectAbove");
        long limit = given == null ? Runtime.getRuntime().maxMemory() / 2 : given;
        return limit > 0 ? limit : Long.MAX_VALUE;
    }
}
