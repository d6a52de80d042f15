package dev.arrowdevice.peers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * How the C peer lays out an array. The value of a row depends on its number, its type and the seed alone, see
 * {@code peer_values.c}; rows outside the array hold other values, so that a reader who forgets an offset is noticed.
 *
 * @param length rows of the root
 * @param offset of the root, in rows
 * @param childOffset of every array below the root, in rows
 * @param tail rows behind the last one that belongs to each array
 * @param nullEvery row {@code i} of a nullable field is null when {@code i mod nullEvery == nullEvery - 1}; 0: no nulls
 * @param firstOffset where the first row of a variable-size array begins in its data
 * @param seed moves all values
 * @param quirks what else is unusual
 */
public record PeerOptions(
        long length,
        long offset,
        long childOffset,
        long tail,
        long nullEvery,
        long firstOffset,
        long seed,
        Set<PeerQuirk> quirks) {
    /** Checks that nothing is negative but the seed. */
    public PeerOptions {
        if (length < 0 || offset < 0 || childOffset < 0 || tail < 0 || nullEvery < 0 || firstOffset < 0) {
            throw new IllegalArgumentException("lengths and offsets of the C peer can't be negative");
        }
        quirks = Set.copyOf(quirks);
    }

    /**
     * Rows without anything unusual, without nulls.
     *
     * @param length number of rows
     */
    public static PeerOptions rows(long length) {
        return new PeerOptions(length, 0, 0, 0, 0, 0, 0, Set.of());
    }

    /**
     * The same at another offset.
     *
     * @param rows of the root
     */
    public PeerOptions withOffset(long rows) {
        return new PeerOptions(length, rows, childOffset, tail, nullEvery, firstOffset, seed, quirks);
    }

    /**
     * The same with offsets below the root.
     *
     * @param rows of every array below the root
     */
    public PeerOptions withChildOffset(long rows) {
        return new PeerOptions(length, offset, rows, tail, nullEvery, firstOffset, seed, quirks);
    }

    /**
     * The same with rows behind the last one.
     *
     * @param rows behind each array
     */
    public PeerOptions withTail(long rows) {
        return new PeerOptions(length, offset, childOffset, rows, nullEvery, firstOffset, seed, quirks);
    }

    /**
     * The same with nulls in nullable fields.
     *
     * @param every which rows; 0: none
     */
    public PeerOptions withNullEvery(long every) {
        return new PeerOptions(length, offset, childOffset, tail, every, firstOffset, seed, quirks);
    }

    /**
     * The same with offsets buffers that don't begin at zero.
     *
     * @param first the first offset
     */
    public PeerOptions withFirstOffset(long first) {
        return new PeerOptions(length, offset, childOffset, tail, nullEvery, first, seed, quirks);
    }

    /**
     * The same with other values.
     *
     * @param value added to all integers
     */
    public PeerOptions withSeed(long value) {
        return new PeerOptions(length, offset, childOffset, tail, nullEvery, firstOffset, value, quirks);
    }

    /**
     * The same with more quirks.
     *
     * @param more quirks
     */
    public PeerOptions with(PeerQuirk... more) {
        Set<PeerQuirk> all = EnumSet.noneOf(PeerQuirk.class);
        all.addAll(quirks);
        all.addAll(Arrays.asList(more));
        return new PeerOptions(length, offset, childOffset, tail, nullEvery, firstOffset, seed, all);
    }

    /** The members of the C struct {@code PeerOptions}. */
    long[] toStruct() {
        return new long[] {length, offset, childOffset, tail, nullEvery, firstOffset, seed, bits(quirks)};
    }

    static long bits(Set<PeerQuirk> quirks) {
        return quirks.stream().mapToLong(PeerQuirk::bit).sum();
    }
}
