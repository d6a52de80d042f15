package dev.arrowdevice;

import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.internal.reading.ValueReader;
import org.jspecify.annotations.Nullable;

/**
 * What an array keeps between two reads: its reader and a chunk, which is a range of values that was copied to the
 * heap, with their validity. This class has no values, and at first an empty range.
 *
 * <p>Chunks are read ahead while a caller reads in order. They grow, so that a caller that stops early pays for few
 * values. Everything but a hint is immutable, so threads may share a chunk without synchronisation.
 */
class ValueChunk {
    private static final int SMALLEST = 8;
    private static final int LARGEST = 1024;
    private static final int GROWTH = 4;

    /** A caller that skips fewer values than this still reads in order. */
    private static final int LARGEST_GAP = 8;

    /** The state of the owner. Values are returned as long as it is live. */
    final Ownership.State state;

    final ValueReader reader;

    /** The index of the first value. */
    final long first;

    private final int size;
    private final boolean @Nullable [] valid;

    /**
     * The index after the last value that was read without a chunk, or 0 if there was none. A hint: any thread writes
     * it.
     */
    private long expected;

    /** Reads a chunk of one kind. */
    interface Kind<C extends ValueChunk> {
        C read(ArrayRanges array, ValueReader reader, long first, int size);
    }

    /** An empty range. */
    ValueChunk(Ownership.State state, ValueReader reader, long expected) {
        this.state = state;
        this.reader = reader;
        this.first = 0;
        this.size = 0;
        this.valid = null;
        this.expected = expected;
    }

    /** Reads a range within bounds. The caller has begun a read. */
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

    /** Reads a chunk of the same kind as this one. */
    ValueChunk read(ArrayRanges array, ValueReader reader, long from, int count) {
        return new ValueChunk(array, reader, from, count);
    }

    /**
     * Whether a distance from {@link #first} is an index of an array of a chunk. Written so that the compiler needs one
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

    /** Whether a value of the chunk is null. */
    final boolean isNull(long index) {
        return valid != null && !valid[(int) (index - first)];
    }

    /** The position in the chunk of the value at an index, or -1 if it is null or not in the chunk. */
    final int find(long index) {
        return contains(index) && !isNull(index) ? (int) (index - first) : -1;
    }

    /**
     * The size of the chunk to read from an index on, or 0 if reads are not in order. Remembers the index as the last
     * one.
     *
     * @param values whether the caller reads values, and not only validity
     */
    final int sizeAhead(boolean values, long index, long length) {
        long next = expected;
        expected = index + 1;
        if (index < 0 || index >= length) {
            return 0;
        }
        int wanted = 0;
        if (contains(index)) {
            // A null, or values of another kind; reads do not alternate between kinds.
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

    /** A chunk of ints. */
    static final class Ints extends ValueChunk {
        final int[] values;
        /** The values if none is null, otherwise an empty array: one check covers both. */
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

    /** A chunk of longs. */
    static final class Longs extends ValueChunk {
        final long[] values;
        /** The values if none is null, otherwise an empty array: one check covers both. */
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

    /** A chunk of floats. */
    static final class Floats extends ValueChunk {
        final float[] values;
        /** The values if none is null, otherwise an empty array: one check covers both. */
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

    /** A chunk of doubles. */
    static final class Doubles extends ValueChunk {
        final double[] values;
        /** The values if none is null, otherwise an empty array: one check covers both. */
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
