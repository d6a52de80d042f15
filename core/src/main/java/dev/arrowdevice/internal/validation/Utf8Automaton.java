package dev.arrowdevice.internal.validation;

import dev.arrowdevice.spi.HostMemory;
import java.nio.ByteOrder;

/**
 * Recognises well-formed UTF-8 (Unicode, table 3-7), at one shift a byte.
 *
 * <p>A state is a distance to shift by. The row of a byte has, at the distance of each state, the state that follows: so
 * {@code row >>> state} is the next state. What is left above its six bits does no harm, because a shift of a
 * {@code long} ignores all others of its distance.
 */
final class Utf8Automaton {
    private static final int STATE_BITS = 6;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;

    /** Every byte leads back to this state, because the lowest bits of all rows are 0. */
    private static final int REJECT = 0;

    /** Between two characters. */
    private static final int ACCEPT = STATE_BITS;

    /** That many continuation bytes are missing. */
    private static final int ONE = 2 * STATE_BITS;

    private static final int TWO = 3 * STATE_BITS;
    private static final int THREE = 4 * STATE_BITS;

    /** After a lead byte that not all continuation bytes may follow. */
    private static final int AFTER_E0 = 5 * STATE_BITS;

    private static final int AFTER_ED = 6 * STATE_BITS;
    private static final int AFTER_F0 = 7 * STATE_BITS;
    private static final int AFTER_F4 = 8 * STATE_BITS;

    private static final long[] ROWS = new long[256];

    static {
        step(ACCEPT, 0x00, 0x7F, ACCEPT);
        step(ACCEPT, 0xC2, 0xDF, ONE);
        step(ACCEPT, 0xE0, 0xE0, AFTER_E0);
        step(ACCEPT, 0xE1, 0xEC, TWO);
        step(ACCEPT, 0xED, 0xED, AFTER_ED);
        step(ACCEPT, 0xEE, 0xEF, TWO);
        step(ACCEPT, 0xF0, 0xF0, AFTER_F0);
        step(ACCEPT, 0xF1, 0xF3, THREE);
        step(ACCEPT, 0xF4, 0xF4, AFTER_F4);
        step(ONE, 0x80, 0xBF, ACCEPT);
        step(TWO, 0x80, 0xBF, ONE);
        step(THREE, 0x80, 0xBF, TWO);
        step(AFTER_E0, 0xA0, 0xBF, ONE);
        step(AFTER_ED, 0x80, 0x9F, ONE);
        step(AFTER_F0, 0x90, 0xBF, TWO);
        step(AFTER_F4, 0x80, 0x8F, TWO);
    }

    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final boolean IS_BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

    /** The number of bytes to check before the next decision whether to continue. */
    private static final int BLOCK = 1 << 16;

    private Utf8Automaton() {}

    private static void step(int state, int firstByte, int lastByte, int next) {
        for (int value = firstByte; value <= lastByte; value++) {
            ROWS[value] |= (long) next << state;
        }
    }

    /** Whether a range is well-formed as a whole. */
    static boolean accepts(HostMemory bytes, long offset, long byteSize) {
        long state = ACCEPT;
        long at = offset;
        long end = offset + byteSize;
        while (end - at >= Long.BYTES && (state & STATE_MASK) != REJECT) {
            int count = (int) Math.min(BLOCK, end - at) >> 3;
            state = afterWords(bytes, at, count, state);
            at += (long) count << 3;
        }
        for (; at < end; at++) {
            state = after(bytes.getByte(at), state);
        }
        return (state & STATE_MASK) == ACCEPT;
    }

    private static long afterWords(HostMemory bytes, long at, int count, long before) {
        long state = before;
        for (int i = 0; i < count; i++) {
            long word = bytes.getLong(at + ((long) i << 3));
            if ((word & HIGH_BITS) == 0 && (state & STATE_MASK) == ACCEPT) {
                continue;
            }
            state = afterWord(IS_BIG_ENDIAN ? Long.reverseBytes(word) : word, state);
        }
        return state;
    }

    private static long afterWord(long word, long before) {
        long state = after(word, before);
        state = after(word >>> 8, state);
        state = after(word >>> 16, state);
        state = after(word >>> 24, state);
        state = after(word >>> 32, state);
        state = after(word >>> 40, state);
        state = after(word >>> 48, state);
        return after(word >>> 56, state);
    }

    /** The state after the lowest byte of a value. */
    private static long after(long value, long state) {
        return ROWS[(int) value & 0xFF] >>> state;
    }
}
