package dev.arrowdevice.internal.type;

import dev.arrowdevice.InvalidSchemaException;

/** Reads a format string from left to right. If it does not find what is expected, it reports the position. */
final class FormatCursor {
    private final String format;
    private int position;

    FormatCursor(String format, int position) {
        this.format = format;
        this.position = position;
    }

    int position() {
        return position;
    }

    boolean atEnd() {
        return position == format.length();
    }

    /** Skips {@code c}. Without it, reports that {@code what} was expected. */
    void require(char c, String what) {
        if (atEnd() || format.charAt(position) != c) {
            throw expected(what);
        }
        position++;
    }

    void requireEnd() {
        if (!atEnd()) {
            throw expected("the end");
        }
    }

    String rest() {
        String rest = format.substring(position);
        position = format.length();
        return rest;
    }

    /** A decimal number without sign, of at most {@code max}. */
    int unsigned(String what, int min, int max) {
        int start = position;
        long value = digits(what + " (" + min + " to " + max + ")");
        if (value < min || value > max) {
            throw expectedAt(start, what + " (" + min + " to " + max + ")");
        }
        return (int) value;
    }

    /** A decimal number of 32 bits, with an optional minus sign. */
    int signed(String what) {
        int start = position;
        boolean negative = !atEnd() && format.charAt(position) == '-';
        if (negative) {
            position++;
        }
        long value = digits(what);
        value = negative ? -value : value;
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw expectedAt(start, what);
        }
        return (int) value;
    }

    private long digits(String what) {
        int start = position;
        long value = 0;
        while (!atEnd() && format.charAt(position) >= '0' && format.charAt(position) <= '9') {
            // Saturates above any int, so that a long row of digits can't overflow to a small number.
            value = Math.min(value * 10 + (format.charAt(position) - '0'), 1L << 32);
            position++;
        }
        if (position == start) {
            throw expected(what);
        }
        return value;
    }

    InvalidSchemaException expected(String what) {
        return expectedAt(position, what);
    }

    InvalidSchemaException expectedAt(int at, String what) {
        return new InvalidSchemaException("format " + Brief.quoted(format) + " at " + at + ": expected " + what);
    }
}
