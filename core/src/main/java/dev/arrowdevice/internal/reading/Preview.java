package dev.arrowdevice.internal.reading;

/**
 * The rest of the budget for showing nested values. A limit for each list is not enough: lists in lists multiply, and
 * views may show the same elements any number of times.
 */
public final class Preview {
    /** Shown in place of what is left out. */
    public static final Object MORE = new Object() {
        @Override
        public String toString() {
            return "…";
        }
    };

    private final int maxElements;
    private int remaining;

    /**
     * Begins with a full budget.
     *
     * @param maxElements the largest number of elements of one list to show
     * @param total the largest number of elements of lists and fields of structs to show together
     */
    public Preview(int maxElements, int total) {
        this.maxElements = maxElements;
        this.remaining = total;
    }

    /** Whether a list that has shown some elements may show one more. */
    boolean take(int shown) {
        return shown < maxElements && takeField();
    }

    /** Whether one more field may be shown. */
    boolean takeField() {
        return remaining > 0 && remaining-- > 0;
    }
}
