package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds sparse and dense unions: each value goes to one child.
 *
 * <pre>
 *   unions.select(0).append(1);       // one value for the child that was selected
 *   unions.append("one");             // for the first child that takes a string
 *   unions.append(new UnionBuilder.Choice(1, "one"));
 * </pre>
 *
 * <p>Children are counted from 0 in the type's order; their type ids are written by the builder. A union has no nulls of
 * its own: {@link #appendNull()} appends a null of the first child that is nullable.
 */
public final class UnionBuilder extends ArrayBuilder {
    private final List<ArrayBuilder> children = new ArrayList<>();
    private final List<Integer> typeIds;
    private final boolean dense;
    private final GrowingBuffer typeIdBuffer;
    private final GrowingBuffer offsetBuffer;
    private HostMemory typeIdBytes = HostMemory.EMPTY;
    private HostMemory offsetBytes = HostMemory.EMPTY;

    /** How many values each child has; in a sparse union, as many as the union itself. */
    private final long[] counts;

    /** The child that the next value goes to, until that is known to be complete; -1 for none. */
    private int selected = -1;

    /**
     * A value for a certain child, where the class of the value would not say which.
     *
     * @param child the child, from 0
     */
    public record Choice(int child, @Nullable Object value) {}

    UnionBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        UnionType type = (UnionType) field.type().storageType();
        this.typeIds = type.typeIds();
        this.dense = type.id() == TypeId.DENSE_UNION;
        for (Field child : type.fields()) {
            children.add(Builders.of(child, memory, this));
        }
        this.counts = new long[children.size()];
        this.typeIdBuffer = new GrowingBuffer(memory);
        this.offsetBuffer = new GrowingBuffer(memory);
    }

    /** The number of children. */
    public int childCount() {
        return children.size();
    }

    /**
     * Selects the child of the next value and gives its builder, to which that one value must be appended.
     *
     * @param child the child, from 0
     * @throws IllegalArgumentException if there is no such child, or the last one selected got more than one value
     */
    public ArrayBuilder select(int child) {
        memory.requireOpen("select");
        settle();
        if (child < 0 || child >= children.size()) {
            throw fail("no child " + child + " in a union of " + children.size());
        }
        selected = child;
        return children.get(child);
    }

    /** The index of the first child with a name, or -1. */
    public int indexOf(String name) {
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).getField().name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void append(boolean value) {
        append((Object) value);
    }

    @Override
    public void append(long value) {
        append((Object) value);
    }

    @Override
    public void append(float value) {
        append((Object) value);
    }

    @Override
    public void append(double value) {
        append((Object) value);
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof Choice choice) {
            select(choice.child()).append(choice.value());
            settle();
            return true;
        }
        settle();
        for (int i = 0; i < children.size(); i++) {
            selected = i;
            if (children.get(i).appendValue(value)) {
                settle();
                return true;
            }
        }
        selected = -1;
        return false;
    }

    @Override
    long settle() {
        if (selected >= 0) {
            long values = children.get(selected).settle() - counts[selected];
            if (values == 1) {
                commit(selected);
            } else if (values > 1) {
                throw fail(values + " values for the child that was selected once");
            }
            selected = -1; // A child that was selected and got no value is no value of the union.
        }
        for (int i = 0; i < counts.length; i++) {
            long stray = children.get(i).settle() - counts[i];
            if (stray != 0) {
                throw fail(stray + " values for child " + i + ", which was not selected");
            }
        }
        return length;
    }

    /** Takes in the value that a child has been given. */
    private void commit(int child) {
        if (dense && counts[child] > Integer.MAX_VALUE) {
            throw fail(
                    "more than 2^31 values of child " + child + ", which the offsets of a dense union can't address");
        }
        long at = nextIndex();
        typeIdBytes.putByte(at, typeIds.get(child).byteValue());
        if (dense) {
            offsetBytes.putInt(at << 2, (int) counts[child]);
            counts[child]++;
        } else {
            for (int i = 0; i < counts.length; i++) {
                if (i != child) {
                    children.get(i).appendFiller();
                }
                counts[i]++;
            }
        }
        length = at + 1;
    }

    @Override
    void putNull() {
        int child = firstNullable();
        if (child < 0) {
            throw fail("a null in a union of which no child is nullable");
        }
        settle();
        children.get(child).putNull();
        commit(child);
    }

    @Override
    void appendFiller() {
        if (firstNullable() >= 0) {
            putNull();
        } else {
            appendEmpty();
        }
    }

    @Override
    void appendEmpty() {
        if (children.isEmpty()) {
            throw fail("a value in a union without children");
        }
        settle();
        children.get(0).appendEmpty();
        commit(0);
    }

    private int firstNullable() {
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).nullable()) {
                return i;
            }
        }
        return -1;
    }

    @Override
    void putZero(long index) {}

    @Override
    void resize(long newCapacity) {
        typeIdBuffer.resize(newCapacity, length);
        typeIdBytes = typeIdBuffer.bytes();
        if (dense) {
            offsetBuffer.resize(newCapacity * 4, length * 4);
            offsetBytes = offsetBuffer.bytes();
        }
    }

    @Override
    ArrayData build() {
        ArrayData[] data = new ArrayData[children.size()];
        for (int i = 0; i < data.length; i++) {
            data[i] = children.get(i).build();
        }
        DeviceBuffer ids = typeIdBuffer.finish(length);
        return data(dense ? new DeviceBuffer[] {ids, offsetBuffer.finish(length * 4)} : new DeviceBuffer[] {ids}, data);
    }

    @Override
    void reset() {
        super.reset();
        children.forEach(ArrayBuilder::reset);
        Arrays.fill(counts, 0);
        typeIdBuffer.reset();
        offsetBuffer.reset();
        typeIdBytes = HostMemory.EMPTY;
        offsetBytes = HostMemory.EMPTY;
        selected = -1;
    }

    @Override
    String pathOf(BuilderNode child) {
        String name = ((ArrayBuilder) child).getField().name();
        return path().isEmpty() ? name : path() + "." + name;
    }
}
