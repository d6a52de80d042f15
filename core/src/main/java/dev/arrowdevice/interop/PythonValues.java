package dev.arrowdevice.interop;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values as the bridges to Python pass them: a sequence is a {@link List} or an array, an integer any Java integer or
 * {@link BigInteger}, None is null. Each method throws {@link IllegalArgumentException} that names the place.
 */
final class PythonValues {
    private static final int POINTER_BITS = 64;

    private PythonValues() {}

    /** The value of a key that must be there. */
    static Object required(Map<?, ?> map, String key) {
        Object value = map.get(key);
        if (value == null) {
            throw new IllegalArgumentException(
                    map.containsKey(key) ? "\"" + key + "\" is None" : "the key \"" + key + "\" is missing");
        }
        return value;
    }

    static String string(String place, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(place, "a string", value);
    }

    static boolean bool(String place, @Nullable Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(place, "a bool", value);
    }

    /** An integer of 64 bits. */
    static long integer(String place, @Nullable Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof BigInteger big) {
            if (big.bitLength() >= POINTER_BITS) {
                throw new IllegalArgumentException(place + " is " + big + ", which has more than 64 bits");
            }
            return big.longValue();
        }
        throw wrong(place, "an integer", value);
    }

    /** A pointer or a handle: an integer of 64 bits that is not negative in Python. */
    static long pointer(String place, @Nullable Object value) {
        if (value instanceof BigInteger big && big.signum() >= 0 && big.bitLength() == POINTER_BITS) {
            return big.longValue();
        }
        long pointer = integer(place, value);
        if (pointer < 0) {
            throw new IllegalArgumentException(place + " is " + pointer + ", no pointer");
        }
        return pointer;
    }

    static List<?> sequence(String place, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        if (value instanceof Object[] array) {
            return Arrays.asList(array);
        }
        if (value instanceof long[] array) {
            List<Long> list = new ArrayList<>(array.length);
            for (long item : array) {
                list.add(item);
            }
            return list;
        }
        if (value instanceof int[] array) {
            List<Integer> list = new ArrayList<>(array.length);
            for (int item : array) {
                list.add(item);
            }
            return list;
        }
        throw wrong(place, "a tuple", value);
    }

    static List<Long> integers(String place, @Nullable Object value) {
        List<Long> result = new ArrayList<>();
        for (Object item : sequence(place, value)) {
            result.add(integer(place + "[" + result.size() + "]", item));
        }
        return List.copyOf(result);
    }

    /** The sizes of the dimensions. */
    static List<Long> shape(String place, @Nullable Object value) {
        List<Long> shape = integers(place, value);
        for (int i = 0; i < shape.size(); i++) {
            if (shape.get(i) < 0) {
                throw new IllegalArgumentException(place + "[" + i + "] is " + shape.get(i) + ", no size");
            }
        }
        return shape;
    }

    /** The {@code data} pair of both interfaces. */
    static List<?> pair(String place, @Nullable Object value) {
        List<?> pair = sequence(place, value);
        if (pair.size() != 2) {
            throw new IllegalArgumentException(place + " has " + pair.size() + " parts, not 2: pointer and flag");
        }
        return pair;
    }

    static IllegalArgumentException wrong(String place, String expected, @Nullable Object value) {
        String found = value == null
                ? "None"
                : value instanceof String
                        ? "the string \"" + value + "\""
                        : value + " of " + value.getClass().getSimpleName();
        return new IllegalArgumentException(place + ": expected " + expected + ", found " + found);
    }
}
