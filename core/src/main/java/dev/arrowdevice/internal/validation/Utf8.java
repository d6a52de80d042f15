package dev.arrowdevice.internal.validation;

import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.HostMemory;

/** Checks that bytes are well-formed UTF-8 (Unicode, table 3-7). */
final class Utf8 {
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /** The number of bytes to check before the next decision whether to continue. */
    private static final int BLOCK = 1 << 18;

    private Utf8() {}

    /** Whether a byte is not the first one of a character. */
    static boolean isContinuation(byte character) {
        return (character & 0xC0) == 0x80;
    }

    /** Whether no byte of a range has its highest bit set. */
    static boolean isAscii(HostMemory bytes, long offset, long byteSize) {
        long at = offset;
        long end = offset + byteSize;
        while (end - at >= Long.BYTES) {
            int count = (int) Math.min(BLOCK, end - at) >> 3;
            if ((union(bytes, at, count) & HIGH_BITS) != 0) {
                return false;
            }
            at += (long) count << 3;
        }
        byte rest = 0;
        for (; at < end; at++) {
            rest |= bytes.getByte(at);
        }
        return rest >= 0;
    }

    private static long union(HostMemory bytes, long at, int count) {
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= bytes.getLong(at + ((long) i << 3));
        }
        return bits;
    }

    static void validate(HostMemory bytes, long offset, long byteSize, long index) {
        long malformed = malformed(bytes, offset, offset + byteSize);
        if (malformed >= 0) {
            throw new InvalidArrayException(
                    "the text at index " + index + " is not UTF-8 at its byte " + (malformed - offset));
        }
    }

    /** The offset of the first malformed sequence, or -1 if there is none. */
    private static long malformed(HostMemory bytes, long offset, long end) {
        long at = offset;
        while (at < end) {
            if (end - at >= 8 && (bytes.getLong(at) & HIGH_BITS) == 0) {
                at += 8;
                continue;
            }
            int size = sequence(bytes, at, end);
            if (size == 0) {
                return at;
            }
            at += size;
        }
        return -1;
    }

    /** The size of the sequence at an offset, or 0 if it is malformed. */
    private static int sequence(HostMemory bytes, long at, long end) {
        int lead = bytes.getByte(at) & 0xFF;
        if (lead < 0x80) {
            return 1;
        }
        int size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (size == 0 || end - at < size) {
            return 0;
        }
        int second = bytes.getByte(at + 1) & 0xFF;
        int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            return 0;
        }
        for (int i = 2; i < size; i++) {
            if ((bytes.getByte(at + i) & 0xC0) != 0x80) {
                return 0;
            }
        }
        return size;
    }

    /** Whether no offset between two positions, which must be valid, is in the middle of a character. */
    static boolean beginCharacters(HostMemory text, Offsets offsets, long from, long end) {
        long size = text.getByteSize();
        for (long i = from; i < end; i++) {
            long offset = offsets.get(i);
            if (offset < size && isContinuation(text.getByte(offset))) {
                return false;
            }
        }
        return true;
    }
}
