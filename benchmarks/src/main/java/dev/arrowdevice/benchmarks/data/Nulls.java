package dev.arrowdevice.benchmarks.data;

/** Which rows are null: one in so many, in a pseudo-random order, so that no branch predictor learns it. */
final class Nulls {
    private static final int SCATTER = 0x9E3779B1;

    private Nulls() {}

    /**
     * Whether a row is null.
     *
     * @param nullEvery one row in how many; 0: none
     */
    static boolean at(int row, int nullEvery) {
        return nullEvery > 0 && Integer.remainderUnsigned(scattered(row), nullEvery) == 0;
    }

    /** The sum of the numbers of all rows that are not null. */
    static long sumWithout(int rows, int nullEvery) {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += at(i, nullEvery) ? 0 : i;
        }
        return sum;
    }

    /** Flags of the rows that are not null. */
    static boolean[] valid(int rows, int nullEvery) {
        boolean[] valid = new boolean[rows];
        for (int i = 0; i < rows; i++) {
            valid[i] = !at(i, nullEvery);
        }
        return valid;
    }

    private static int scattered(int row) {
        int mixed = row * SCATTER;
        mixed ^= mixed >>> 15;
        return mixed * SCATTER >>> 8;
    }
}
