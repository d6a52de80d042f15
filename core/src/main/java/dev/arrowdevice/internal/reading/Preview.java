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

    /**
     * A binary value of which only the beginning is shown.
     *
     * @param beginning its first bytes, one more than are shown
     * @param size the number of all bytes
     */
    public record Bytes(byte[] beginning, long size) {}

    private final int maxElements;
    private int remaining;
    private int characters;

    /**
     * Begins with a full budget.
     *
     * @param maxElements the largest number of elements of one list to show
     * @param total the largest number of elements of lists and fields of structs to show together
     * @param characters the largest number of bytes of strings to show together
     */
    public Preview(int maxElements, int total, int characters) {
        this.maxElements = maxElements;
        this.remaining = total;
        this.characters = characters;
    }

    /** Whether a list that has shown some elements may show one more. */
    boolean take(int shown) {
        return shown < maxElements && takeField();
    }

    /** The largest number of elements of one list, or of bytes of one binary value. */
    int maxElements() {
        return maxElements;
    }

    /** The number of bytes of a string that may be shown. */
    int takeText(long byteSize) {
        int taken = (int) Math.max(0, Math.min(byteSize, characters));
        characters -= taken;
        return taken;
    }

    /** Whether one more field may be shown. */
    boolean takeField() {
        return remaining > 0 && remaining-- > 0;
    }
}
