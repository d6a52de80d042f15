package dev.arrowdevice.internal.reading;

/** Decodes well-formed UTF-8, as the Unicode standard's table 3-7 has it. */
final class Utf8Decoder {
    private static final int CONTINUATION = 0b1000_0000;
    private static final int CONTINUATION_MASK = 0b1100_0000;

    private Utf8Decoder() {}

    /**
     * Decodes a range of bytes.
     *
     * @param target has room for a character for each byte
     * @return the number of characters, or -1 if the bytes are malformed
     */
    static int decode(byte[] bytes, int from, int byteSize, char[] target) {
        int end = from + byteSize;
        int count = 0;
        int at = from;
        while (at < end) {
            int lead = bytes[at];
            if (lead >= 0) {
                target[count++] = (char) lead;
                at++;
            } else if (lead < (byte) 0b1110_0000) {
                if (lead < (byte) 0b1100_0010 || end - at < 2 || !isContinuation(bytes[at + 1])) {
                    return -1;
                }
                target[count++] = (char) ((lead & 0x1F) << 6 | bytes[at + 1] & 0x3F);
                at += 2;
            } else if (lead < (byte) 0b1111_0000) {
                if (end - at < 3 || !isContinuation(bytes[at + 1]) || !isContinuation(bytes[at + 2])) {
                    return -1;
                }
                char decoded = (char) ((lead & 0x0F) << 12 | (bytes[at + 1] & 0x3F) << 6 | bytes[at + 2] & 0x3F);
                if (decoded < 0x800 || Character.isSurrogate(decoded)) {
                    return -1;
                }
                target[count++] = decoded;
                at += 3;
            } else {
                int point = end - at < 4 ? -1 : fourBytes(bytes, at);
                if (point < 0) {
                    return -1;
                }
                target[count++] = Character.highSurrogate(point);
                target[count++] = Character.lowSurrogate(point);
                at += 4;
            }
        }
        return count;
    }

    private static boolean isContinuation(byte value) {
        return (value & CONTINUATION_MASK) == CONTINUATION;
    }

    /** The code point of four bytes, or -1 if they are malformed. */
    private static int fourBytes(byte[] bytes, int at) {
        if (bytes[at] > (byte) 0b1111_0100
                || !isContinuation(bytes[at + 1])
                || !isContinuation(bytes[at + 2])
                || !isContinuation(bytes[at + 3])) {
            return -1;
        }
        int point = (bytes[at] & 0x07) << 18
                | (bytes[at + 1] & 0x3F) << 12
                | (bytes[at + 2] & 0x3F) << 6
                | bytes[at + 3] & 0x3F;
        return Character.isSupplementaryCodePoint(point) ? point : -1;
    }
}
