package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.MapType;
import dev.arrowdevice.spi.ArrayData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds maps. Their entries keep their order and may have equal keys. Keys are never null.
 *
 * <pre>
 *   maps.startMap();
 *   maps.keys().append("a");          // as many keys
 *   maps.values().append(1);          // as values
 *   maps.endMap();
 *   maps.append(Map.of("a", 1));      // the same at once
 * </pre>
 *
 * <p>If the type says that keys are sorted, {@link #append(Object)} sorts the entries by the natural order of the keys, if
 * they have one. Keys of several classes are an error then. Between {@link #startMap()} and {@link #endMap()} the caller
 * appends the keys in order.
 */
public final class MapBuilder extends ArrayBuilder {
    private final Ranges ranges;
    private final StructBuilder entries;
    private final boolean keysSorted;

    MapBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.ranges = new Ranges(this);
        this.entries = ranges.child.as(StructBuilder.class);
        this.keysSorted = ((MapType) field.type().storageType()).keysSorted();
    }

    @Override
    public long getLength() {
        return ranges.length();
    }

    /** The builder of the keys of all maps. */
    public ArrayBuilder keys() {
        return entries.child(0);
    }

    /** The builder of the values of all maps. */
    public ArrayBuilder values() {
        return entries.child(1);
    }

    /**
     * Starts a map.
     *
     * @throws IllegalArgumentException if the last one was not ended, or entries were appended outside of any
     */
    public void startMap() {
        ranges.start("startMap");
    }

    /**
     * Ends the map.
     *
     * @throws IllegalStateException if none was started
     * @throws IllegalArgumentException if keys and values are not equally many
     */
    public void endMap() {
        ranges.end("endMap");
    }

    @Override
    boolean appendValue(Object value) {
        List<Map.Entry<?, ?>> pairs = entriesOf(value);
        if (pairs == null) {
            return false;
        }
        startMap();
        for (Map.Entry<?, ?> entry : pairs) {
            keys().append(entry.getKey());
            values().append(entry.getValue());
        }
        endMap();
        return true;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        List<Map.Entry<?, ?>> pairs = entriesOf(value);
        if (pairs == null) {
            return null;
        }
        List<@Nullable Object> flat = new ArrayList<>();
        for (Map.Entry<?, ?> entry : pairs) {
            flat.add(Keys.ofNullable(keys(), entry.getKey()));
            flat.add(Keys.ofNullable(values(), entry.getValue()));
        }
        return flat;
    }

    /** The entries in the order in which they are stored. Null if the class does not fit. */
    private @Nullable List<Map.Entry<?, ?>> entriesOf(Object value) {
        Iterable<?> given;
        if (value instanceof Map<?, ?> map) {
            given = map.entrySet();
        } else if (value instanceof Iterable<?> iterable) {
            given = iterable;
        } else {
            return null;
        }
        List<Map.Entry<?, ?>> checked = new ArrayList<>();
        for (Object entry : given) {
            if (!(entry instanceof Map.Entry<?, ?> pair)) {
                throw place.unfit("an iterable of something else than Map.Entry");
            }
            if (pair.getKey() == null) {
                throw place.fail("a null key in a map");
            }
            checked.add(pair);
        }
        if (keysSorted) {
            checked.sort(Comparator.comparing(Map.Entry::getKey, this::compareKeys));
        }
        return checked;
    }

    @SuppressWarnings("unchecked")
    private int compareKeys(Object left, Object right) {
        if (left.getClass() != right.getClass()) {
            throw place.fail("keys of " + left.getClass().getName() + " and "
                    + right.getClass().getName() + ", which have no common order");
        }
        // Keys without an order stay as they are: the caller has sorted them.
        return left instanceof Comparable ? ((Comparable<Object>) left).compareTo(right) : 0;
    }

    @Override
    void putNull() {
        ranges.addNull();
    }

    @Override
    void putEmpty() {
        ranges.addEmpty();
    }

    @Override
    void makeRoom(long elements) {
        ranges.reserve(elements);
    }

    @Override
    long settle() {
        return ranges.settle();
    }

    @Override
    ArrayData build() {
        ArrayData elements = ranges.child.build();
        return data(ranges.nullCount(), ranges.finish(), elements);
    }

    @Override
    void reset() {
        ranges.reset();
    }

    @Override
    String pathOf(ArrayBuilder child) {
        return place.path() + "[]";
    }
}
