package dev.arrowdevice.internal.operations;

import java.util.Arrays;

/** Numbers different values in the order in which they come, over any number of arrays of one type. */
final class ValueTable {
    /** The most entries that a table can have. */
    private static final int MOST = 1 << 29;

    private ValueSource[] sources = new ValueSource[16];
    private long[] indices = new long[16];
    private long[] hashes = new long[16];
    private int size;

    /** For each place the number of an entry plus 1, or 0. */
    private int[] places = new int[64];

    private int nullEntry = -1;

    /** The number of entries. */
    int size() {
        return size;
    }

    /** The index of an entry's value in the array that it came from. */
    long[] indices() {
        return indices;
    }

    /** The number of a value; a new one if no equal value is there. All nulls are one value. */
    int add(ValueSource source, long index) {
        if (source.isNull(index)) {
            if (nullEntry < 0) {
                nullEntry = append(source, index, 0);
            }
            return nullEntry;
        }
        long hash = source.hash(index);
        int mask = places.length - 1;
        int place = (int) hash & mask;
        while (places[place] != 0) {
            int entry = places[place] - 1;
            if (hashes[entry] == hash && source.same(index, sources[entry], indices[entry])) {
                return entry;
            }
            place = place + 1 & mask;
        }
        int entry = append(source, index, hash);
        places[place] = entry + 1;
        if (entry * 2L > mask) {
            grow();
        }
        return entry;
    }

    /** Adds a value under a number of its own; equal values that come later have the number of the first one. */
    void addAnyway(ValueSource source, long index) {
        int before = size;
        add(source, index);
        if (size == before) {
            append(source, index, 0);
        }
    }

    private int append(ValueSource source, long index, long hash) {
        if (size == MOST) {
            throw new IllegalArgumentException("more than " + MOST + " different values");
        }
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, 2 * size);
            indices = Arrays.copyOf(indices, 2 * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
        }
        sources[size] = source;
        indices[size] = index;
        hashes[size] = hash;
        return size++;
    }

    private void grow() {
        int[] old = places;
        places = new int[2 * old.length];
        int mask = places.length - 1;
        for (int entry : old) {
            if (entry != 0) {
                int place = (int) hashes[entry - 1] & mask;
                while (places[place] != 0) {
                    place = place + 1 & mask;
                }
                places[place] = entry;
            }
        }
    }
}
