package dev.arrowdevice.internal.operations;

/**
 * Walks over the selected elements of an array, many at a time. Each step is a run of consecutive elements, which is
 * copied at once, or a list of positions. A position counts from the first element of the array.
 */
abstract class Cursor {
    /** The largest number of positions of one step. Lists of this size stay in the fastest cache. */
    static final int CHUNK = 1024;

    /** In place of a position: the result has no value here. */
    static final long MISSING = -1;

    final long[] positions = new long[CHUNK];

    /** The number of positions, or 0 if the step is a run. */
    int count;

    /** The first element of a run. */
    long start;

    /** The number of elements of this step. */
    long length;

    /** Goes to the next step. Returns false after the last one. */
    abstract boolean next();

    final boolean isRun() {
        return count == 0;
    }

    final boolean run(long first, long elements) {
        count = 0;
        start = first;
        length = elements;
        return true;
    }

    /** Makes this step the first {@code elements} positions. With 0 it is the end. */
    final boolean list(int elements) {
        count = elements;
        length = elements;
        return elements > 0;
    }
}
