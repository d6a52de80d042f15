package dev.arrowdevice;

import dev.arrowdevice.internal.reading.ValueReader;
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

    /** The index of the first value. */
    final long first;

    private final int size;
    private final boolean @Nullable [] valid;

    /** Reads a block of one kind. */
    interface Kind<B extends Block> {
        B read(ValueReader reader, BulkReader bulk, long first, int size);
    }

    /** Reads a range within bounds; the caller holds the memory. */
    Block(ValueReader reader, BulkReader bulk, long first, int size) {
        boolean[] read = null;
        if (reader.mayHaveNulls()) {
            read = new boolean[size];
            read = reader.getValidity(first, read, 0, size) == 0 ? null : read;
        }
        this.first = first;
        this.size = size;
        this.valid = read;
    }

    /** Reads a block of this one's kind. */
    Block read(ValueReader reader, BulkReader bulk, long from, int count) {
        return new Block(reader, bulk, from, count);
    }

    /**
     * Whether a distance from {@link #first} leads into an array of a block. Said so that the compiler needs one
     * comparison for this and for the array's own check.
     */
    static boolean isWithin(long distance, int length) {
        return (distance & -LARGEST) == 0 && Integer.compareUnsigned((int) distance, length) < 0;
    }

    final boolean hasNulls() {
        return valid != null;
    }

    final boolean contains(long index) {
        return index >= first && index - first < size;
    }

    /** Whether a value of the block is null. */
    final boolean isNull(long index) {
        return valid != null && !valid[(int) (index - first)];
    }

    /** Where in the block the value of an index stands; -1 if it is not here or null. */
    final int find(long index) {
        return contains(index) && !isNull(index) ? (int) (index - first) : -1;
    }

    /**
     * The size of the block to read from an index on; 0 if reads are not in order.
     *
     * @param known the last block
     * @param values whether values are asked for, not only nulls
     * @param expected the index after the last one that was read by itself; 0 if there was none
     */
    static int sizeAhead(@Nullable Block known, boolean values, long index, long expected, long length) {
        if (index < 0 || index >= length) {
            return 0;
        }
        int wanted = 0;
        if (known != null && known.contains(index)) {
            // A null, or values of another kind, which nobody reads by turns.
            boolean onlyNulls = known.getClass() == Block.class;
            wanted = values && onlyNulls ? known.size - (int) (index - known.first) : 0;
        } else if (known != null && isNext(index, known.first + known.size)) {
            wanted = Math.min(known.size * GROWTH, LARGEST);
        } else if (expected != 0 && isNext(index, expected)) {
            wanted = SMALLEST;
        }
        return (int) Math.min(wanted, length - index);
    }

    private static boolean isNext(long index, long expected) {
        return index >= expected && index - expected < LARGEST_GAP;
    }

    /** A block of ints. */
    static final class Ints extends Block {
        final int[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final int[] plain;

        Ints(ValueReader reader, BulkReader bulk, long first, int size) {
            super(reader, bulk, first, size);
            values = new int[size];
            bulk.getInts(reader, first, values, 0, size);
            plain = hasNulls() ? new int[0] : values;
        }

        @Override
        Block read(ValueReader reader, BulkReader bulk, long from, int count) {
            return new Ints(reader, bulk, from, count);
        }
    }

    /** A block of longs. */
    static final class Longs extends Block {
        final long[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final long[] plain;

        Longs(ValueReader reader, BulkReader bulk, long first, int size) {
            super(reader, bulk, first, size);
            values = new long[size];
            bulk.getLongs(reader, first, values, 0, size);
            plain = hasNulls() ? new long[0] : values;
        }

        @Override
        Block read(ValueReader reader, BulkReader bulk, long from, int count) {
            return new Longs(reader, bulk, from, count);
        }
    }

    /** A block of floats. */
    static final class Floats extends Block {
        final float[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final float[] plain;

        Floats(ValueReader reader, BulkReader bulk, long first, int size) {
            super(reader, bulk, first, size);
            values = new float[size];
            bulk.getFloats(reader, first, values, 0, size);
            plain = hasNulls() ? new float[0] : values;
        }

        @Override
        Block read(ValueReader reader, BulkReader bulk, long from, int count) {
            return new Floats(reader, bulk, from, count);
        }
    }

    /** A block of doubles. */
    static final class Doubles extends Block {
        final double[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final double[] plain;

        Doubles(ValueReader reader, BulkReader bulk, long first, int size) {
            super(reader, bulk, first, size);
            values = new double[size];
            bulk.getDoubles(reader, first, values, 0, size);
            plain = hasNulls() ? new double[0] : values;
        }

        @Override
        Block read(ValueReader reader, BulkReader bulk, long from, int count) {
            return new Doubles(reader, bulk, from, count);
        }
    }
}
