package dev.arrowdevice.interop;

import java.nio.ByteOrder;
import java.util.List;

/**
 * The {@code typestr} of NumPy's array interface: byte order, kind, size, and the unit of a date or a time.
 *
 * <pre>
 *   typestr = order kind digits [ "[" [multiple] unit "]" ]
 *   order   = "&lt;" little-endian | "&gt;" big-endian | "|" of no meaning: single bytes, bits, strings, raw data
 *   kind    = t bits | b boolean | i integer | u unsigned | f floating point | c complex
 *           | m timedelta | M datetime | O object | S bytes | U unicode | V raw
 *   digits  = the size in bytes; of t in bits, of U in characters of 4 bytes; O may be without (as NumPy writes it)
 *   unit    = Y M W D h m s ms us ns ps fs as, for m and M only
 * </pre>
 *
 * @param order one of {@code < > |}
 * @param kind one of {@code t b i u f c m M O S U V}
 * @param size the digits
 * @param multiple how many units one step of a date or a time has, usually 1; 0 if there is no unit
 * @param unit the unit of a date or a time, empty if there is none
 */
record TypeString(char order, char kind, int size, int multiple, String unit) {
    private static final String ORDERS = "<>|";
    private static final String KINDS = "tbiufcmMOSUV";
    private static final List<String> UNITS =
            List.of("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as");

    /** Checks that such a type string can be written. */
    TypeString {
        String text = print(order, kind, size, multiple, unit);
        int wrong = new Scanner(text).firstError();
        if (wrong >= 0) {
            throw new IllegalArgumentException("typestr \"" + text + "\" is no type string at position " + wrong);
        }
    }

    /**
     * Reads a type string.
     *
     * @throws IllegalArgumentException if it breaks the grammar; the message names the position, from 0, and what is
     *     expected there
     */
    static TypeString parse(String text) {
        Scanner scanner = new Scanner(text);
        scanner.read();
        return new TypeString(scanner.order, scanner.kind, scanner.size, scanner.multiple, scanner.unit);
    }

    /** A type string in the machine's byte order, without a unit; {@code |} where one byte order is as good as another. */
    static TypeString of(char kind, int size) {
        boolean single = size == 1 || kind == 'S' || kind == 'V';
        return new TypeString(single ? '|' : nativeOrder(), kind, size, 0, "");
    }

    /** The same with a unit. */
    static TypeString of(char kind, String unit) {
        return new TypeString(nativeOrder(), kind, 8, 1, unit);
    }

    private static char nativeOrder() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? '<' : '>';
    }

    /** Whether the bytes are in this machine's order, or their order is of no meaning. */
    boolean isNativeOrder() {
        return order == '|' || order == nativeOrder();
    }

    /**
     * The bytes of one element.
     *
     * @throws IllegalArgumentException for bits, which have none, and for strings of more than 2 GiB
     */
    int itemSize() {
        if (kind == 't') {
            throw new IllegalArgumentException(
                    "typestr \"" + this + "\" counts bits: its elements have no size in bytes");
        }
        if (kind == 'O' && size == 0) {
            return Long.BYTES;
        }
        long bytes = kind == 'U' ? 4L * size : size;
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("typestr \"" + this + "\" has elements of " + bytes + " bytes");
        }
        return (int) bytes;
    }

    /** The type string, as {@link #parse} reads it. */
    @Override
    public String toString() {
        return print(order, kind, size, multiple, unit);
    }

    private static String print(char order, char kind, int size, int multiple, String unit) {
        String digits = kind == 'O' && size == 0 ? "" : Integer.toString(size);
        String step = multiple == 0 && unit.isEmpty() ? "" : "[" + (multiple == 1 ? "" : multiple) + unit + "]";
        return "" + order + kind + digits + step;
    }

    /** One pass over a text, from left to right. */
    private static final class Scanner {
        private final String text;
        private int at;
        private char order;
        private char kind;
        private int size;
        private int multiple;
        private String unit = "";

        Scanner(String text) {
            this.text = text;
        }

        int firstError() {
            try {
                read();
                return -1;
            } catch (IllegalArgumentException e) {
                return at;
            }
        }

        void read() {
            order = oneOf(ORDERS, "a byte order, one of < > |");
            kind = oneOf(KINDS, "a kind, one of t b i u f c m M O S U V");
            size = kind == 'O' && at == text.length() ? 0 : number("the size");
            checkSize();
            if (at < text.length() && text.charAt(at) == '[') {
                if (kind != 'm' && kind != 'M') {
                    throw expected("the end: only m and M have a unit");
                }
                at++;
                readUnit();
            }
            if (at < text.length()) {
                throw expected("the end");
            }
        }

        private void checkSize() {
            boolean fits;
            switch (kind) {
                case 'm':
                case 'M':
                    fits = size == 8;
                    break;
                case 't':
                case 'b':
                case 'i':
                case 'u':
                case 'f':
                case 'c':
                case 'O':
                    fits = size > 0 || kind == 'O';
                    break;
                default:
                    fits = true;
                    break;
            }
            if (!fits) {
                at = 2;
                throw expected(kind == 'm' || kind == 'M' ? "the size 8 of a date or a time" : "a size above 0");
            }
        }

        private void readUnit() {
            multiple = at < text.length() && isDigit(text.charAt(at)) ? number("a multiple") : 1;
            int end = text.indexOf(']', at);
            String name = text.substring(at, end < 0 ? text.length() : end);
            if (multiple == 0 || !UNITS.contains(name)) {
                throw expected("a unit, one of " + String.join(" ", UNITS));
            }
            at += name.length();
            if (end < 0) {
                throw expected("]");
            }
            at++;
            unit = name;
        }

        private char oneOf(String allowed, String what) {
            if (at == text.length() || allowed.indexOf(text.charAt(at)) < 0) {
                throw expected(what);
            }
            return text.charAt(at++);
        }

        private int number(String what) {
            int start = at;
            long value = 0;
            while (at < text.length() && isDigit(text.charAt(at))) {
                value = value * 10 + (text.charAt(at) - '0');
                if (value > Integer.MAX_VALUE) {
                    at = start;
                    throw expected(what + " of at most " + Integer.MAX_VALUE);
                }
                at++;
            }
            if (at == start) {
                throw expected(what + " in digits");
            }
            return (int) value;
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        private IllegalArgumentException expected(String what) {
            String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
            return new IllegalArgumentException(
                    "typestr \"" + text + "\" at position " + at + ": expected " + what + ", found " + found);
        }
    }
}
