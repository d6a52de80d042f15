package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds lists of any variant: with offsets of 32 or 64 bits, as views, or of fixed size.
 *
 * <pre>
 *   lists.startList();
 *   lists.elements().append(1.5);     // any number of elements
 *   lists.endList();
 *   lists.append(List.of(1.5, 2.5));  // the same at once
 *   lists.appendNull();
 * </pre>
 */
public final class ListBuilder extends ArrayBuilder {
    private final Ranges ranges;

    ListBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.ranges = new Ranges(this);
    }

    @Override
    public long getLength() {
        return ranges.length();
    }

    /** The builder of the elements of all lists. They are appended between the start and the end of a list. */
    public ArrayBuilder elements() {
        return ranges.child;
    }

    /** The builder of the elements as one of a nested type, see {@link ArrayBuilder#as}. */
    public <B extends ArrayBuilder> B elements(Class<B> builderClass) {
        return ranges.child.as(builderClass);
    }

    /**
     * Starts a list.
     *
     * @throws IllegalArgumentException if the last one was not ended, or elements were appended outside of any
     */
    public void startList() {
        ranges.start("startList");
    }

    /**
     * Ends the list.
     *
     * @throws IllegalStateException if none was started
     * @throws IllegalArgumentException if a list of fixed size has another number of elements, or there are too many for
     *     offsets of 32 bits
     */
    public void endList() {
        ranges.end("endList");
    }

    @Override
    boolean appendValue(Object value) {
        int size = sizeOf(value);
        if (size < 0 && !(value instanceof Iterable)) {
            return false;
        }
        if (size >= 0) {
            requireSize(size);
        }
        ArrayBuilder child = elements();
        startList();
        if (value instanceof Iterable<?> values) {
            child.appendAll(values);
        } else if (value instanceof Object[] values) {
            for (Object element : values) {
                child.append(element);
            }
        } else if (value instanceof int[] values) {
            child.appendAll(values);
        } else if (value instanceof long[] values) {
            child.appendAll(values);
        } else if (value instanceof float[] values) {
            child.appendAll(values);
        } else if (value instanceof double[] values) {
            child.appendAll(values);
        } else if (value instanceof boolean[] values) {
            child.appendAll(values);
        } else if (value instanceof short[] values) {
            child.appendAll(values);
        } else {
            child.appendAll((byte[]) value);
        }
        endList();
        return true;
    }

    private void requireSize(int size) {
        if (ranges.fixedSize >= 0 && size != ranges.fixedSize) {
            throw place.fail(size + " elements in a list of fixed size " + ranges.fixedSize);
        }
    }

    /** The number of elements, or -1 if it is not known. */
    private static int sizeOf(Object value) {
        if (value instanceof Collection<?> collection) {
            return collection.size();
        }
        return value.getClass().isArray()
                        && !value.getClass().getComponentType().equals(char.class)
                ? java.lang.reflect.Array.getLength(value)
                : -1;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        List<@Nullable Object> keys;
        if (value instanceof Iterable<?> values) {
            keys = Keys.ofAll(elements(), values);
        } else if (sizeOf(value) >= 0) {
            keys = Keys.ofArray(elements(), value);
        } else {
            return null;
        }
        requireSize(keys.size());
        return keys;
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
