package dev.arrowdevice.internal.reading;

/**
 * How much of nested values is still to be shown. A limit for each list alone is none: lists in lists multiply, and views
 * may show the same elements any number of times.
 */
public final class Preview {
    /** Stands for what is left out. */
    public static final Object MORE = new Object() {
        @Override
        public String toString() {
            return "…";
        }
    };

    private final int maxElements;
    private int remaining;

    /**
     * Begins.
     *
     * @param maxElements how many elements of one list are shown
     * @param total how many elements of lists and fields of structs are shown together
     */
    public Preview(int maxElements, int total) {
        this.maxElements = maxElements;
        this.remaining = total;
    }

    /** Whether one more is shown of a list that has shown so many. */
    boolean take(int shown) {
        return shown < maxElements && takeField();
    }

    /** Whether one more is shown. */
    boolean takeField() {
        return remaining > 0 && remaining-- > 0;
    }
}
