package dev.arrowdevice.builder;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values as keys by which equal ones are found: immutable, with equals and hash code by content. Two values that are
 * not told apart here are the same in an array of any type; the reverse would only cost space.
 */
final class Keys {
    private Keys() {}

    static Object of(Object value) {
        if (value instanceof String || value instanceof Long || value instanceof Double) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float number) {
            return (double) number;
        }
        if (value instanceof BigInteger integer) {
            return integer.bitLength() <= 63 ? (Object) integer.longValue() : integer;
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.stripTrailingZeros();
        }
        if (value instanceof CharSequence) {
            return value.toString();
        }
        byte[] bytes = Bytes.of(value);
        if (bytes != null) {
            return ByteBuffer.wrap(bytes == value ? bytes.clone() : bytes);
        }
        if (value instanceof Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> copy = new HashMap<>();
            map.forEach((key, mapped) -> copy.put(ofNullable(key), ofNullable(mapped)));
            return copy;
        }
        if (value instanceof Map.Entry<?, ?> entry) {
            return java.util.Arrays.asList(ofNullable(entry.getKey()), ofNullable(entry.getValue()));
        }
        if (value instanceof Iterable<?> values) {
            List<@Nullable Object> copy = new ArrayList<>();
            values.forEach(element -> copy.add(ofNullable(element)));
            return copy;
        }
        if (value.getClass().isArray()) {
            List<@Nullable Object> copy = new ArrayList<>();
            for (int i = 0; i < java.lang.reflect.Array.getLength(value); i++) {
                copy.add(ofNullable(java.lang.reflect.Array.get(value, i)));
            }
            return copy;
        }
        return value;
    }

    private static @Nullable Object ofNullable(@Nullable Object value) {
        return value == null ? null : of(value);
    }
}
