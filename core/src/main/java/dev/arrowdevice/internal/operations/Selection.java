package dev.arrowdevice.internal.operations;

/** Which elements of an array a result has, in which order. It can be walked over any number of times. */
abstract class Selection {
    private final long length;
    private final boolean hasMissing;

    /**
     * @param length the number of elements of the result
     * @param hasMissing whether some of them may be {@link Cursor#MISSING}
     */
    Selection(long length, boolean hasMissing) {
        this.length = length;
        this.hasMissing = hasMissing;
    }

    /** The number of elements of the result. */
    final long length() {
        return length;
    }

    /** Whether some element of the result may be missing. */
    final boolean hasMissing() {
        return hasMissing;
    }

    /** Whether most of the selected elements are far from the one before. */
    boolean isScattered() {
        return false;
    }

    /** A new walk, from the first element on. */
    abstract Cursor cursor();

    /** Walks once, for the checks of a walk, where a result needs none. */
    final void check() {
        Cursor cursor = cursor();
        boolean more;
        do {
            more = cursor.next();
        } while (more);
    }

    /** A new walk over single positions. */
    final Walk walk() {
        return new Walk(cursor());
    }

    /** Walks over the positions one by one, for what is decided per element. */
    static final class Walk {
        private final Cursor cursor;
        private long rest;
        private long run;
        private int at;

        /** The position of the current element, or {@link Cursor#MISSING}. */
        long position;

        private Walk(Cursor cursor) {
            this.cursor = cursor;
        }

        /** Goes to the next element. Returns false after the last one. */
        boolean next() {
            if (rest == 0) {
                if (!cursor.next()) {
                    return false;
                }
                rest = cursor.length;
                run = cursor.start;
                at = 0;
            }
            rest--;
            position = cursor.isRun() ? run++ : cursor.positions[at++];
            return true;
        }
    }
}
