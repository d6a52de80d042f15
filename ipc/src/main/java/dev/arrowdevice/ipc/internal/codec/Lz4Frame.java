package dev.arrowdevice.ipc.internal.codec;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes LZ4 frames of independent blocks without checksums, as Arrow C++ does. Commons Compress can write them too, but looks
 * at all earlier matches for each match, and so takes a second for a megabyte of numbers.
 *
 * <p>A block is a list of sequences: a byte with both lengths, literals, the distance of a match, and further bytes of a length
 * that does not fit. A match is of 4 bytes at least; the last one begins 12 bytes before the end of its block or earlier, and
 * the last 5 bytes are literals.
 */
final class Lz4Frame {
    private static final int MAGIC = 0x184D2204;
    /** Version 1, independent blocks, no checksums and no size of the content. */
    private static final byte FLAGS = 0x60;
    /** Blocks of 64 KiB at most, and the checksum of both bytes. */
    private static final byte[] SMALL_BLOCKS = {0x40, (byte) 0x82};
    /** Of 4 MiB at most. */
    private static final byte[] LARGE_BLOCKS = {0x70, 0x73};

    private static final int SMALL = 1 << 16;
    private static final int LARGE = 1 << 22;
    private static final int NOT_COMPRESSED = 1 << 31;
    private static final int MIN_MATCH = 4;
    private static final int LAST_LITERALS = 5;
    private static final int LAST_MATCH = 12;
    private static final int MAX_DISTANCE = (1 << 16) - 1;
    private static final int MAX_HASH_BITS = 14;
    /** After this many bytes without a match, as a power of two, each second byte is looked at, then each third. */
    private static final int PATIENCE = 6;

    private final ByteBuffer source;
    private final ByteBuffer target;
    /** For each hash of 4 bytes, where they were last, counted from 1. */
    private final int[] last;

    private final int shift;

    private Lz4Frame(ByteBuffer source, ByteBuffer target) {
        this.source = source;
        this.target = target;
        int bits = Math.min(MAX_HASH_BITS, Math.max(8, 32 - Integer.numberOfLeadingZeros(source.remaining())));
        this.last = new int[1 << bits];
        this.shift = 32 - bits;
    }

    /**
     * Writes a frame of all bytes of a buffer, from its position to its limit.
     *
     * @param target a buffer with room for {@link #maxSize}
     * @return the number of bytes that were written from the target's position on
     */
    static int encode(ByteBuffer source, ByteBuffer target) {
        return new Lz4Frame(
                        source.slice().order(ByteOrder.LITTLE_ENDIAN),
                        target.slice().order(ByteOrder.LITTLE_ENDIAN))
                .encode();
    }

    /** The most bytes that a frame of {@code byteSize} bytes takes: a block that can't be compressed is tried before. */
    static long maxSize(int byteSize) {
        return byteSize + byteSize / 128L + 64;
    }

    private int encode() {
        int size = source.limit();
        int blockSize = size <= SMALL ? SMALL : LARGE;
        target.putInt(MAGIC).put(FLAGS).put(size <= SMALL ? SMALL_BLOCKS : LARGE_BLOCKS);
        for (int begin = 0; begin < size; begin += blockSize) {
            int end = Math.min(size, begin + blockSize);
            int at = target.position();
            ((Buffer) target).position(at + 4); // Android 13 has it in Buffer alone; the same below.
            block(begin, end);
            int compressed = target.position() - at - 4;
            if (compressed < end - begin) {
                target.putInt(at, compressed);
            } else {
                ((Buffer) target).position(at);
                target.putInt(end - begin | NOT_COMPRESSED);
                literals(begin, end);
            }
        }
        target.putInt(0);
        return target.position();
    }

    private void block(int begin, int end) {
        Arrays.fill(last, 0);
        int literals = begin;
        int at = begin;
        while (at <= end - LAST_MATCH) {
            int bytes = source.getInt(at);
            int hash = bytes * 0x9E3779B1 >>> shift;
            int before = last[hash] - 1;
            last[hash] = at + 1;
            if (before < 0 || at - before > MAX_DISTANCE || source.getInt(before) != bytes) {
                at += 1 + (at - literals >> PATIENCE);
                continue;
            }
            int length = MIN_MATCH + equal(before + MIN_MATCH, at + MIN_MATCH, end - LAST_LITERALS);
            sequence(literals, at, length - MIN_MATCH);
            target.putShort((short) (at - before));
            further(length - MIN_MATCH);
            at += length;
            literals = at;
        }
        sequence(literals, end, 0);
    }

    /** How many bytes are the same from two places on. */
    private int equal(int before, int at, int end) {
        int begin = at;
        for (; at <= end - 8; at += 8, before += 8) {
            long difference = source.getLong(before) ^ source.getLong(at);
            if (difference != 0) {
                return at - begin + (Long.numberOfTrailingZeros(difference) >> 3);
            }
        }
        while (at < end && source.get(before) == source.get(at)) {
            at++;
            before++;
        }
        return at - begin;
    }

    /** Writes both lengths, as far as they fit, and literals. */
    private void sequence(int from, int to, int match) {
        int count = to - from;
        target.put((byte) (Math.min(count, 15) << 4 | Math.min(match, 15)));
        further(count);
        literals(from, to);
    }

    /** What is left of a length above 15. */
    private void further(int length) {
        if (length < 15) {
            return;
        }
        int rest = length - 15;
        for (; rest >= 255; rest -= 255) {
            target.put((byte) 255);
        }
        target.put((byte) rest);
    }

    private void literals(int from, int to) {
        ((Buffer) source).limit(to);
        ((Buffer) source).position(from);
        target.put(source);
        ((Buffer) source).clear();
    }
}
