package dev.arrowdevice.benchmarks.exchange;

/** One side's arrays or batches, a hundred at a time; the structs lie in a row. */
public abstract class Ends implements AutoCloseable {
    static final int COUNT = 100;

    /** Whose arrays or batches. */
    public enum Side {
        ARRAYS,
        BATCHES,
        ARROW_JAVA_ARRAYS,
        ARROW_JAVA_BATCHES;

        boolean isBatch() {
            return this == BATCHES || this == ARROW_JAVA_BATCHES;
        }

        Ends open(Kind kind, int rows) {
            switch (this) {
                case ARRAYS:
                    return new OurArrays(kind, rows);
                case BATCHES:
                    return new OurBatches(kind, rows);
                case ARROW_JAVA_ARRAYS:
                    return new ArrowJavaArrays(kind, rows);
                default:
                    return new ArrowJavaBatches(kind, rows);
            }
        }
    }

    /** Exports one more owner of an array that stays each time, so that both sides count a reference. */
    abstract void exportAll(Slots slots);

    abstract void importAll(Slots slots);

    /** Closes what was imported. */
    abstract void closeAll();

    /**
     * Compares the last one that was imported with what this side exports.
     *
     * @throws AssertionError if a value is another
     */
    abstract void requireEqual();

    @Override
    public abstract void close();
}
