package dev.arrowdevice.builder;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Immutable keys of values, by which equal values are found. Values with equal keys are stored alike in an array of the
 * builder's type. Values that are stored alike may have different keys, which only costs space.
 */
final class Keys {
    private Keys() {}

    /** The key of a value in a union: the chosen child, or the first one that takes it, and its key. */
    record Choice(int child, boolean chosen, @Nullable Object key) {}

    /**
     * The key of a value. If the type does not take the value, the key equals no other.
     *
     * @throws IllegalArgumentException as appending the value would
     */
    static Object of(ArrayBuilder builder, Object value) {
        Object key = builder.keyOf(value);
        if (key == null) {
            Object adapted = builder.memory.adapt(value);
            key = adapted == value ? null : builder.keyOf(adapted);
        }
        return key == null ? new Object() : key;
    }

    static @Nullable Object ofNullable(ArrayBuilder builder, @Nullable Object value) {
        if (value != null) {
            return of(builder, value);
        }
        builder.place.requireNullable();
        return null;
    }

    /** The keys of elements, in order. */
    static List<@Nullable Object> ofAll(ArrayBuilder builder, Iterable<? extends @Nullable Object> elements) {
        List<@Nullable Object> keys = new ArrayList<>();
        elements.forEach(element -> keys.add(ofNullable(builder, element)));
        return keys;
    }

    /** The keys of the elements of an array of any class. */
    static List<@Nullable Object> ofArray(ArrayBuilder builder, Object array) {
        List<@Nullable Object> keys = new ArrayList<>();
        for (int i = 0; i < java.lang.reflect.Array.getLength(array); i++) {
            keys.add(ofNullable(builder, java.lang.reflect.Array.get(array, i)));
        }
        return keys;
    }

    /** The key of a {@code byte[]} or {@code ByteBuffer}. Null for another class. */
    static @Nullable Object ofBytes(Object value) {
        byte[] bytes = Bytes.of(value);
        return bytes == null ? null : ByteBuffer.wrap(bytes == value ? bytes.clone() : bytes);
    }
}
