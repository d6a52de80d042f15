package dev.arrowdevice.internal.reading;

import java.util.AbstractMap;
import org.jspecify.annotations.Nullable;

/** An entry of a map, or the child and the value of a union. Either part may be null. */
final class MapEntry extends AbstractMap.SimpleImmutableEntry<Object, Object> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("NullAway")
    MapEntry(@Nullable Object key, @Nullable Object value) {
        super(key, value);
    }
}
