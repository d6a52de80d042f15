package dev.arrowdevice.internal.type;

import dev.arrowdevice.InvalidSchemaException;
import java.nio.charset.StandardCharsets;

/** Encodes the texts of a schema, none of which may change on the way. */
public final class TextBytes {
    private TextBytes() {}

    /**
     * The text in UTF-8.
     *
     * @param what what the text is, for the message
     * @throws InvalidSchemaException if the text has half of a surrogate pair, which UTF-8 can't express
     */
    public static byte[] utf8(String what, String text) {
        check(what, text, false);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The text in UTF-8, for C, where a NUL ends it.
     *
     * @throws InvalidSchemaException also if the text has a NUL
     */
    public static byte[] forC(String what, String text) {
        requireForC(what, text);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Checks a text as {@link #forC} does. */
    public static void requireForC(String what, String text) {
        check(what, text, true);
    }

    private static void check(String what, String text, boolean nulEnds) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 && nulEnds) {
                throw new InvalidSchemaException("the " + what + " "
                        + Brief.quoted(text).replace("\0", "\\0") + " has a NUL character, which would end it in C");
            }
            bits |= c;
        }
        // For ASCII, which nearly all texts are, an encoder would take longer than all the rest of an export.
        if (bits >= 0x80 && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new InvalidSchemaException("the " + what + " " + Brief.quoted(text)
                    + " has half of a surrogate pair, which UTF-8 can't express");
        }
    }
}
