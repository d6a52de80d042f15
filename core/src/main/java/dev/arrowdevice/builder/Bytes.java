package dev.arrowdevice.builder;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Binary and text values as bytes in an array. */
final class Bytes {
    private Bytes() {}

    /** The bytes of a byte[] or ByteBuffer, without a copy if possible. Null for another class. */
    static byte @Nullable [] of(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        return null;
    }

    /** The largest number of bytes that a text can take. */
    static int maxUtf8Size(CharSequence text, Place place) {
        if (text.length() > Integer.MAX_VALUE / 3 - 8) {
            throw place.unfit("a text of " + text.length() + " characters");
        }
        return text.length() * 3;
    }

    /**
     * Encodes text into an array that has room for {@link #maxUtf8Size} bytes from an index on.
     *
     * @return the number of bytes
     * @throws IllegalArgumentException of the place, if there is an unpaired surrogate
     */
    static int encodeUtf8(CharSequence text, byte[] target, int from, Place place) {
        int length = text.length();
        int ascii = text instanceof String string ? encodeAscii(string, length, target, from) : 0;
        int at = from + ascii;
        for (int i = ascii; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                target[at++] = (byte) c;
            } else if (c < 0x800) {
                target[at++] = (byte) (0xC0 | c >> 6);
                target[at++] = (byte) (0x80 | c & 0x3F);
            } else if (!Character.isSurrogate(c)) {
                target[at++] = (byte) (0xE0 | c >> 12);
                target[at++] = (byte) (0x80 | c >> 6 & 0x3F);
                target[at++] = (byte) (0x80 | c & 0x3F);
            } else {
                if (!Character.isHighSurrogate(c) || i + 1 == length || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw unpaired(i, place);
                }
                int codePoint = Character.toCodePoint(c, text.charAt(++i));
                target[at++] = (byte) (0xF0 | codePoint >> 18);
                target[at++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
                target[at++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
                target[at++] = (byte) (0x80 | codePoint & 0x3F);
            }
        }
        return at - from;
    }

    private static IllegalArgumentException unpaired(int index, Place place) {
        return place.fail("the text has an unpaired surrogate at index " + index);
    }

    /** Encodes the ASCII characters at the start of a text, in a loop that compilers unroll. Returns their number. */
    private static int encodeAscii(String text, int length, byte[] target, int from) {
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return i;
            }
            target[from + i] = (byte) c;
        }
        return length;
    }
}
