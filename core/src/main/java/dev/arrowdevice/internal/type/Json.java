package dev.arrowdevice.internal.type;

import dev.arrowdevice.InvalidSchemaException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The part of JSON (RFC 8259) that the parameters of extension types need, read strictly. Values become {@code Map},
 * {@code List}, {@code String}, {@code Long} (integers of 64 bits), {@code BigDecimal}, {@code Boolean} or null.
 */
public final class Json {
    private static final int MAX_DEPTH = 64;
    /** More characters than any number of a type has. Parsing takes time that grows with their square. */
    private static final int MAX_NUMBER = 1_000;

    private final String subject;
    private final String text;
    private int position;
    private int depth;

    private Json(String subject, String text) {
        this.subject = subject;
        this.text = text;
    }

    /**
     * Reads bytes that must be exactly one JSON object.
     *
     * @param subject the name of what the bytes belong to, for the message
     * @throws InvalidSchemaException whose message names the character position and what was expected there
     */
    public static Map<String, @Nullable Object> readObject(String subject, byte[] utf8) {
        Json json = new Json(subject, decode(subject, utf8));
        json.skipSpace();
        if (json.peek() != '{') {
            throw json.expected("'{'");
        }
        Map<String, @Nullable Object> result = json.object();
        json.skipSpace();
        if (json.position < json.text.length()) {
            throw json.expected("the end");
        }
        return result;
    }

    /** Writes the parameters of a fixed shape tensor, without empty ones, as Arrow C++ does. */
    public static String writeTensor(List<Integer> shape, List<String> dimNames, List<Integer> permutation) {
        StringJoiner members = new StringJoiner(",", "{", "}");
        members.add("\"shape\":" + integers(shape));
        if (!permutation.isEmpty()) {
            members.add("\"permutation\":" + integers(permutation));
        }
        if (!dimNames.isEmpty()) {
            StringJoiner names = new StringJoiner(",", "[", "]");
            dimNames.forEach(name -> names.add(quote(name)));
            members.add("\"dim_names\":" + names);
        }
        return members.toString();
    }

    private static String integers(List<Integer> values) {
        StringJoiner joined = new StringJoiner(",", "[", "]");
        values.forEach(value -> joined.add(String.valueOf(value)));
        return joined.toString();
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static String decode(String subject, byte[] utf8) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidSchemaException(subject + ": its JSON is not UTF-8", e);
        }
    }

    private @Nullable Object value() {
        skipSpace();
        char c = peek();
        if (c == '{' || c == '[') {
            if (++depth > MAX_DEPTH) {
                throw expected("at most " + MAX_DEPTH + " levels");
            }
            Object nested = c == '{' ? object() : array();
            depth--;
            return nested;
        }
        if (c == '"') {
            return string();
        }
        if (c == '-' || isDigit(c)) {
            return number();
        }
        for (String literal : List.of("true", "false", "null")) {
            if (text.startsWith(literal, position)) {
                position += literal.length();
                return literal.equals("null") ? null : Boolean.valueOf(literal);
            }
        }
        throw expected("a value");
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        position++;
        skipSpace();
        if (peek() == '}') {
            position++;
            return members;
        }
        while (true) {
            skipSpace();
            int start = position;
            if (peek() != '"') {
                throw expected("a member name in quotes");
            }
            String name = string();
            if (members.containsKey(name)) {
                position = start;
                throw expected("each member once, not " + Brief.quoted(name) + " again");
            }
            skipSpace();
            require(':');
            members.put(name, value());
            skipSpace();
            if (peek() == '}') {
                position++;
                return members;
            }
            if (peek() != ',') {
                throw expected("',' or '}'");
            }
            position++;
        }
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> items = new ArrayList<>();
        position++;
        skipSpace();
        if (peek() == ']') {
            position++;
            return items;
        }
        while (true) {
            items.add(value());
            skipSpace();
            if (peek() == ']') {
                position++;
                return items;
            }
            if (peek() != ',') {
                throw expected("',' or ']'");
            }
            position++;
        }
    }

    private String string() {
        StringBuilder result = new StringBuilder();
        position++;
        while (true) {
            char c = peek();
            if (position >= text.length() || c < ' ') {
                throw expected("'\"'");
            }
            position++;
            if (c == '"') {
                return result.toString();
            }
            result.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = peek();
        int simple = "\"\\/bfnrt".indexOf(c);
        if (simple >= 0) {
            position++;
            return "\"\\/\b\f\n\r\t".charAt(simple);
        }
        if (c != 'u') {
            throw expected("an escape sequence");
        }
        position++;
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = peek() < 128 ? Character.digit(peek(), 16) : -1;
            if (digit < 0) {
                throw expected("four hexadecimal digits");
            }
            code = code * 16 + digit;
            position++;
        }
        return (char) code;
    }

    private Object number() {
        int start = position;
        if (peek() == '-') {
            position++;
        }
        if (peek() == '0') {
            position++;
        } else {
            digits();
        }
        boolean integer = true;
        if (peek() == '.') {
            integer = false;
            position++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            integer = false;
            position++;
            if (peek() == '+' || peek() == '-') {
                position++;
            }
            digits();
        }
        if (position - start > MAX_NUMBER) {
            position = start;
            throw expected("a number of at most " + MAX_NUMBER + " characters");
        }
        String number = text.substring(start, position);
        try {
            if (integer && number.length() < 20) {
                return Long.valueOf(number);
            }
            return new BigDecimal(number);
        } catch (NumberFormatException e) {
            position = start;
            throw expected("a number of reasonable size");
        }
    }

    private void digits() {
        if (!isDigit(peek())) {
            throw expected("a digit");
        }
        while (isDigit(peek())) {
            position++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void require(char c) {
        if (peek() != c) {
            throw expected("'" + c + "'");
        }
        position++;
    }

    private void skipSpace() {
        while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    /** The character at the position, or NUL at the end: no token of JSON begins with it. */
    private char peek() {
        return position < text.length() ? text.charAt(position) : '\0';
    }

    private InvalidSchemaException expected(String what) {
        return new InvalidSchemaException(subject + ": JSON at " + position + ": expected " + what);
    }
}
