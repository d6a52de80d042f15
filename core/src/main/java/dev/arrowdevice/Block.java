package dev.arrowdevice;

import org.jspecify.annotations.Nullable;

/**
 * The values of a range of an array, copied to the heap, and which of them are null; in this class, the latter alone.
 * Immutable, so that threads may share one without synchronisation.
 *
 * <p>Blocks are read ahead of who reads in order, and grow, so that who stops early pays for few.
 */
class Block {
    private static final int SMALLEST = 8;
    private static final int LARGEST = 1024;
    private static final int GROWTH = 4;

    /** Who skips fewer values than this still reads in order. */
    private static final int LARGEST_GAP = 8;

    private final long start;
    private final int size;
    private final boolean @Nullable [] valid;

    /** Reads a block of one kind. */
    interface Kind<B extends Block> {
        B read(BulkReader bulk, long start, int size);
    }

    Block(BulkReader bulk, long start, int size) {
        boolean[] read = new boolean[size];
        this.start = start;
        this.size = size;
        this.valid = bulk.getValidity(start, read, 0, size) == 0 ? null : read;
    }

    /** Reads a block of this one's kind. */
    Block read(BulkReader bulk, long from, int count) {
        return new Block(bulk, from, count);
    }

    final boolean contains(long index) {
        return index >= start && index - start < size;
    }

    /** Whether a value of the block is null. */
    final boolean isNull(long index) {
        return valid != null && !valid[(int) (index - start)];
    }

    /** Where in the block the value of an index stands; -1 if it is not here or null. */
    final int find(long index) {
        long at = index - start;
        return at >= 0 && at < size && (valid == null || valid[(int) at]) ? (int) at : -1;
    }

    /**
     * The size of the block to read from an index on; 0 if reads are not in order.
     *
     * @param known the last block
     * @param ask whether values are asked for, not only nulls
     * @param expected the index after the last one that was read by itself; 0 if there was none
     */
    static int sizeAhead(@Nullable Block known, boolean ask, long index, long expected, long length) {
        int wanted = 0;
        if (known != null && known.contains(index)) {
            // A null, or values of another kind, which nobody reads by turns.
            boolean onlyNulls = known.getClass() == Block.class;
            wanted = ask && onlyNulls ? known.size - (int) (index - known.start) : 0;
        } else if (known != null && isNext(index, known.start + known.size)) {
            wanted = Math.min(known.size * GROWTH, LARGEST);
        } else if (expected != 0 && isNext(index, expected)) {
            wanted = SMALLEST;
        }
        return (int) Math.max(0, Math.min(wanted, length - index));
    }

    private static boolean isNext(long index, long expected) {
        return index >= expected && index - expected < LARGEST_GAP;
    }

    /** A block of ints. */
    static final class Ints extends Block {
        final int[] values;

        Ints(BulkReader bulk, long start, int size) {
            super(bulk, start, size);
            values = new int[size];
            bulk.getInts(start, values, 0, size);
        }

        @Override
        Block read(BulkReader bulk, long from, int count) {
            return new Ints(bulk, from, count);
        }
    }

    /** A block of longs. */
    static final class Longs extends Block {
        final long[] values;

        Longs(BulkReader bulk, long start, int size) {
            super(bulk, start, size);
            values = new long[size];
            bulk.getLongs(start, values, 0, size);
        }

        @Override
        Block read(BulkReader bulk, long from, int count) {
            return new Longs(bulk, from, count);
        }
    }

    /** A block of floats. */
    static final class Floats extends Block {
        final float[] values;

        Floats(BulkReader bulk, long start, int size) {
            super(bulk, start, size);
            values = new float[size];
            bulk.getFloats(start, values, 0, size);
        }

        @Override
        Block read(BulkReader bulk, long from, int count) {
            return new Floats(bulk, from, count);
        }
    }

    /** A block of doubles. */
    static final class Doubles extends Block {
        final double[] values;

        Doubles(BulkReader bulk, long start, int size) {
            super(bulk, start, size);
            values = new double[size];
            bulk.getDoubles(start, values, 0, size);
        }

        @Override
        Block read(BulkReader bulk, long from, int count) {
            return new Doubles(bulk, from, count);
        }
    }
}
