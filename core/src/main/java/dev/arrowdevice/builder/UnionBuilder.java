package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds sparse and dense unions. Each value goes to one child.
 *
 * <pre>
 *   unions.select(0).append(1);       // one value for the child that was selected
 *   unions.append("one");             // for the first child that takes it; int8 does not take 300
 *   unions.append(Map.entry("name", "one"));  // for the child of that name; an index is a key too
 * </pre>
 *
 * <p>Children are counted from 0 in the type's order. The builder writes their type ids. A union has no nulls of its own:
 * {@link #appendNull()} appends a null of the first nullable child.
 */
public final class UnionBuilder extends ArrayBuilder {
    private final Children children;
    private final List<Integer> typeIds;
    private final boolean dense;
    private final GrowingBuffer typeIdBuffer;
    private final GrowingBuffer offsetBuffer;
    private long length;

    /** The number of values of each child. In a sparse union it is that of the union. */
    private final long[] counts;

    /** The child of the next value, until that is known to be complete; -1 if there is none. */
    private int selected = -1;

    UnionBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        UnionType type = (UnionType) field.type().storageType();
        this.typeIds = type.typeIds();
        this.dense = type.id() == TypeId.DENSE_UNION;
        this.children = new Children(this, type.fields());
        this.counts = new long[children.size()];
        this.typeIdBuffer = new GrowingBuffer(memory, 1);
        this.offsetBuffer = new GrowingBuffer(memory, Integer.BYTES);
    }

    @Override
    public long getLength() {
        return length;
    }

    /** The number of children. */
    public int getChildCount() {
        return children.size();
    }

    /**
     * Selects the child of the next value and returns its builder. Append that one value to it.
     *
     * @param child the child, from 0
     * @throws IllegalArgumentException if there is no such child, or the last one selected got more than one value
     */
    public ArrayBuilder select(int child) {
        memory.requireOpen("select");
        settle();
        if (child < 0 || child >= children.size()) {
            throw place.fail("no child " + child + " in a union of " + children.size());
        }
        makeRoom(length + 1);
        selected = child;
        return children.get(child);
    }

    /**
     * Selects the first child with a name, see {@link #select(int)}.
     *
     * @throws IllegalArgumentException also if there is none; the message lists the names
     */
    public ArrayBuilder select(String child) {
        int index = children.indexOf(child);
        if (index < 0) {
            throw place.fail(children.unknown(child));
        }
        return select(index);
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof Map.Entry<?, ?> choice) {
            if (choice.getKey() instanceof Integer index) {
                select(index).append(choice.getValue());
            } else {
                select(String.valueOf(choice.getKey())).append(choice.getValue());
            }
            settle();
            return true;
        }
        settle();
        makeRoom(length + 1);
        IllegalArgumentException refusal = null;
        for (int i = 0; i < children.size(); i++) {
            selected = i;
            try {
                if (children.get(i).appendValue(value)) {
                    settle();
                    return true;
                }
            } catch (IllegalArgumentException e) {
                if (!isAsItWas(i)) {
                    throw e;
                }
                refusal = refusal == null ? e : refusal;
            }
        }
        selected = -1;
        if (refusal != null) {
            throw refusal;
        }
        return false;
    }

    /** Whether a child that refused a value kept no part of it. */
    private boolean isAsItWas(int child) {
        try {
            return !memory.isClosed() && children.get(child).settle() == counts[child];
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    long settle() {
        if (selected >= 0) {
            long values = children.get(selected).settle() - counts[selected];
            if (values == 1) {
                commit(selected);
            } else if (values > 1) {
                throw place.fail(values + " values for the child that was selected once");
            }
            selected = -1; // A selected child without a value adds no value to the union.
        }
        for (int i = 0; i < counts.length; i++) {
            long stray = children.get(i).settle() - counts[i];
            if (stray != 0) {
                throw place.fail(stray + " values for child " + i + ", which was not selected");
            }
        }
        return length;
    }

    /** Adds the value that a child has got. There is room for it. */
    private void commit(int child) {
        if (dense && counts[child] > Integer.MAX_VALUE) {
            throw place.fail(
                    "more than 2^31 values of child " + child + ", which the offsets of a dense union can't address");
        }
        long at = length;
        typeIdBuffer.bytes().putByte(at, typeIds.get(child).byteValue());
        if (dense) {
            offsetBuffer.bytes().putInt(at << 2, (int) counts[child]);
            counts[child]++;
        } else {
            children.fill(child, true);
            for (int i = 0; i < counts.length; i++) {
                counts[i]++;
            }
        }
        length = at + 1;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        if (value instanceof Map.Entry<?, ?> choice) {
            int child = choice.getKey() instanceof Integer index
                    ? index
                    : children.indexOf(String.valueOf(choice.getKey()));
            return child < 0 || child >= children.size()
                    ? null
                    : new Keys.Choice(child, true, Keys.ofNullable(children.get(child), choice.getValue()));
        }
        for (int i = 0; i < children.size(); i++) {
            try {
                Object key = children.get(i).keyOf(value);
                if (key != null) {
                    return new Keys.Choice(i, false, key);
                }
            } catch (IllegalArgumentException e) {
                continue; // The next child is asked, as in appendValue.
            }
        }
        return null;
    }

    @Override
    void putNull() {
        int child = firstNullable();
        if (child < 0) {
            throw place.fail("a null in a union of which no child is nullable");
        }
        settle();
        makeRoom(length + 1);
        children.get(child).putNull();
        commit(child);
    }

    @Override
    void putFiller() {
        if (firstNullable() >= 0) {
            putNull();
        } else {
            putEmpty();
        }
    }

    @Override
    void putEmpty() {
        if (children.size() == 0) {
            throw place.fail("a value in a union without children");
        }
        settle();
        makeRoom(length + 1);
        children.get(0).putEmpty();
        commit(0);
    }

    private int firstNullable() {
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).place.isNullable()) {
                return i;
            }
        }
        return -1;
    }

    @Override
    void makeRoom(long elements) {
        if (elements > typeIdBuffer.capacity()) {
            typeIdBuffer.grow(elements, length);
        }
        if (dense && elements > offsetBuffer.capacity() >> 2) {
            offsetBuffer.grow(elements, length << 2);
        }
    }

    @Override
    ArrayData build() {
        ArrayData[] fields = children.build();
        DeviceBuffer ids = typeIdBuffer.finish(length);
        return data(
                0,
                dense ? new DeviceBuffer[] {ids, offsetBuffer.finish(length << 2)} : new DeviceBuffer[] {ids},
                fields);
    }

    @Override
    void reset() {
        children.reset();
        Arrays.fill(counts, 0);
        typeIdBuffer.reset();
        offsetBuffer.reset();
        length = 0;
        selected = -1;
    }

    @Override
    String pathOf(ArrayBuilder child) {
        return place.pathOf(child.place.field().name());
    }
}
