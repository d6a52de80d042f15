package dev.arrowdevice;

import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.internal.reading.ValueReader;
import org.jspecify.annotations.Nullable;

/**
 * What an array keeps between two reads: its reader, and the values of a range, copied to the heap, with which of them
 * are null. In this class there are no values, and at first no range.
 *
 * <p>Blocks are read ahead of who reads in order, and grow, so that who stops early pays for few. All but a hint is
 * immutable, so that threads may share a block without synchronisation.
 */
class ValueChunk {
    private static final int SMALLEST = 8;
    private static final int LARGEST = 1024;
    private static final int GROWTH = 4;

    /** Who skips fewer values than this still reads in order. */
    private static final int LARGEST_GAP = 8;

    /** That of the owner: values are given as long as it is live. */
    final Ownership.State state;

    final ValueReader reader;

    /** The index of the first value. */
    final long first;

    private final int size;
    private final boolean @Nullable [] valid;

    /** The index after the last one that was read by itself; 0 if there was none. A hint: any thread writes it. */
    private long expected;

    /** Reads a block of one kind. */
    interface Kind<C extends ValueChunk> {
        C read(ArrayRanges array, ValueReader reader, long first, int size);
    }

    /** No range. */
    ValueChunk(Ownership.State state, ValueReader reader, long expected) {
        this.state = state;
        this.reader = reader;
        this.first = 0;
        this.size = 0;
        this.valid = null;
        this.expected = expected;
    }

    /** Reads a range within bounds; the caller holds the memory. */
    ValueChunk(ArrayRanges array, ValueReader reader, long first, int size) {
        boolean[] read = null;
        if (reader.mayHaveNulls()) {
            read = new boolean[size];
            read = reader.getValidity(first, read, 0, size) == 0 ? null : read;
        }
        this.state = array.ownership.state;
        this.reader = reader;
        this.first = first;
        this.size = size;
        this.valid = read;
    }

    /** Reads a block of this one's kind. */
    ValueChunk read(ArrayRanges array, ValueReader reader, long from, int count) {
        return new ValueChunk(array, reader, from, count);
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
     * The size of the block to read from an index on, which is then the last one that was read by itself; 0 if reads are
     * not in order.
     *
     * @param values whether values are asked for, not only nulls
     */
    final int sizeAhead(boolean values, long index, long length) {
        long next = expected;
        expected = index + 1;
        if (index < 0 || index >= length) {
            return 0;
        }
        int wanted = 0;
        if (contains(index)) {
            // A null, or values of another kind, which nobody reads by turns.
            boolean onlyNulls = getClass() == ValueChunk.class;
            wanted = values && onlyNulls ? size - (int) (index - first) : 0;
        } else if (size > 0 && isNext(index, first + size)) {
            wanted = Math.min(size * GROWTH, LARGEST);
        } else if (next != 0 && isNext(index, next)) {
            wanted = SMALLEST;
        }
        return (int) Math.min(wanted, length - index);
    }

    private static boolean isNext(long index, long expected) {
        return index >= expected && index - expected < LARGEST_GAP;
    }

    /** A block of ints. */
    static final class Ints extends ValueChunk {
        final int[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final int[] plain;

        Ints(ArrayRanges array, ValueReader reader, long first, int size) {
            super(array, reader, first, size);
            values = new int[size];
            array.getInts(reader, first, values, 0, size);
            plain = hasNulls() ? new int[0] : values;
        }

        @Override
        ValueChunk read(ArrayRanges array, ValueReader reader, long from, int count) {
            return new Ints(array, reader, from, count);
        }
    }

    /** A block of longs. */
    static final class Longs extends ValueChunk {
        final long[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final long[] plain;

        Longs(ArrayRanges array, ValueReader reader, long first, int size) {
            super(array, reader, first, size);
            values = new long[size];
            array.getLongs(reader, first, values, 0, size);
            plain = hasNulls() ? new long[0] : values;
        }

        @Override
        ValueChunk read(ArrayRanges array, ValueReader reader, long from, int count) {
            return new Longs(array, reader, from, count);
        }
    }

    /** A block of floats. */
    static final class Floats extends ValueChunk {
        final float[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final float[] plain;

        Floats(ArrayRanges array, ValueReader reader, long first, int size) {
            super(array, reader, first, size);
            values = new float[size];
            array.getFloats(reader, first, values, 0, size);
            plain = hasNulls() ? new float[0] : values;
        }

        @Override
        ValueChunk read(ArrayRanges array, ValueReader reader, long from, int count) {
            return new Floats(array, reader, from, count);
        }
    }

    /** A block of doubles. */
    static final class Doubles extends ValueChunk {
        final double[] values;
        /** The values if none is null, else nothing: for one look at both. */
        final double[] plain;

        Doubles(ArrayRanges array, ValueReader reader, long first, int size) {
            super(array, reader, first, size);
            values = new double[size];
            array.getDoubles(reader, first, values, 0, size);
            plain = hasNulls() ? new double[0] : values;
        }

        @Override
        ValueChunk read(ArrayRanges array, ValueReader reader, long from, int count) {
            return new Doubles(array, reader, from, count);
        }
    }
}
