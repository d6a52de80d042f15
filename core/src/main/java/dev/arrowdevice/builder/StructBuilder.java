package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds structs from the values of their fields, by row, or by column: one field after the other. A row is complete when
 * all fields have a value for it; no further call is needed.
 *
 * <!-- given static StructBuilder structs; -->
 * <pre>{@code
 * structs.child("city").append("Ulm");            // any number of rows
 * structs.child("zip").append(89073);
 * structs.append(Map.of("city", "Ulm", "zip", 89073));
 * structs.appendNull();                           // all fields must have equally many values by now
 * }</pre>
 */
public final class StructBuilder extends ArrayBuilder {
    private final Children children;
    private final Validity validity;
    private Metadata metadata;
    private boolean changed;
    private long length;

    StructBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.children = new Children(this, field.children());
        this.validity = new Validity(memory);
        this.metadata = field.metadata();
    }

    /** {@inheritDoc} It has the present fields and metadata. */
    @Override
    public Field getField() {
        Field field = super.getField();
        if (!hasChanged()) {
            return field;
        }
        List<Field> fields = new ArrayList<>();
        children.forEach(child -> fields.add(child.getField()));
        return new Field(field.name(), ArrowType.struct(fields), field.nullable(), metadata);
    }

    private boolean hasChanged() {
        for (ArrayBuilder child : children) {
            if (child instanceof StructBuilder struct && struct.hasChanged()) {
                return true;
            }
        }
        return changed;
    }

    @Override
    public long getLength() {
        return length;
    }

    /** The number of fields. */
    public int getChildCount() {
        return children.size();
    }

    /** The builders of all fields, in order. */
    public List<ArrayBuilder> getChildren() {
        return children.toList();
    }

    /**
     * The builder of a field.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public ArrayBuilder child(int index) {
        return children.get(index);
    }

    /**
     * The builder of the first field with a name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public ArrayBuilder child(String name) {
        int index = children.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException(place.at("") + children.unknown(name));
        }
        return children.get(index);
    }

    /** The builder of a field as one of a nested type, see {@link ArrayBuilder#as}. */
    public <B extends ArrayBuilder> B child(String name, Class<B> builderClass) {
        return child(name).as(builderClass);
    }

    /**
     * Adds a field behind the others and returns its builder. It needs a value for each row that is there already.
     *
     * @throws IllegalStateException if this builder is a child of a builder that is no struct: its type can't change
     */
    public ArrayBuilder addField(Field field) {
        requireFreeType("addField");
        changed = true;
        return children.add(field);
    }

    /**
     * Sets the metadata of the field, for this array and those that follow. The root's metadata is no part of the array's
     * type: only {@link #getField()} returns it.
     *
     * @throws IllegalStateException as {@link #addField}
     */
    public void setMetadata(Metadata newMetadata) {
        requireFreeType("setMetadata");
        changed = true;
        metadata = newMetadata;
    }

    private void requireFreeType(String operation) {
        memory.requireOpen(operation);
        if (!hasFreeType()) {
            throw new IllegalStateException(
                    place.at("") + operation + ": the type " + getType() + " is given from outside");
        }
    }

    private boolean hasFreeType() {
        ArrayBuilder parent = place.parent();
        boolean plain = super.getField().type() == super.getField().type().storageType();
        return plain && (parent == null || parent instanceof StructBuilder struct && struct.hasFreeType());
    }

    /**
     * Ends a row. All fields must have a value for it. Only needed if there are no fields, and as a check.
     *
     * @throws IllegalArgumentException if a field has more or fewer values
     */
    public void appendRow() {
        memory.requireOpen("appendRow");
        for (ArrayBuilder child : children) {
            long values = child.settle();
            if (values != length + 1) {
                throw place.fail(
                        (values - length) + " values for \"" + child.getField().name() + "\" in one row");
            }
        }
        length++;
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof Map<?, ?> map) {
            settle();
            requireKnownNames(map);
            for (ArrayBuilder child : children) {
                child.append(map.get(child.getField().name()));
            }
        } else if (value instanceof Iterable<?> || value instanceof Object[]) {
            List<@Nullable Object> row = rowOf(value);
            settle();
            for (int i = 0; i < row.size(); i++) {
                children.get(i).append(row.get(i));
            }
        } else {
            return false;
        }
        appendRow();
        return true;
    }

    /** The values by position of an Iterable or Object[]. */
    private List<@Nullable Object> rowOf(Object value) {
        Iterable<?> values = value instanceof Object[] array ? java.util.Arrays.asList(array) : (Iterable<?>) value;
        List<@Nullable Object> row = new ArrayList<>();
        values.forEach(row::add);
        if (row.size() != children.size()) {
            throw place.fail(row.size() + " values for the " + children.size() + " fields " + children.names());
        }
        return row;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        List<@Nullable Object> keys = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            requireKnownNames(map);
            for (ArrayBuilder child : children) {
                keys.add(Keys.ofNullable(child, map.get(child.getField().name())));
            }
        } else if (value instanceof Iterable<?> || value instanceof Object[]) {
            List<@Nullable Object> row = rowOf(value);
            for (int i = 0; i < row.size(); i++) {
                keys.add(Keys.ofNullable(children.get(i), row.get(i)));
            }
        } else {
            return null;
        }
        return keys;
    }

    private void requireKnownNames(Map<?, ?> map) {
        for (Object name : map.keySet()) {
            if (!(name instanceof String text) || children.indexOf(text) < 0) {
                throw place.fail(children.unknown(name));
            }
        }
    }

    @Override
    long settle() {
        memory.requireOpen("append");
        if (children.size() == 0) {
            return length;
        }
        ArrayBuilder first = children.get(0);
        long rows = first.settle();
        for (ArrayBuilder child : children) {
            if (child.settle() != rows) {
                throw new IllegalArgumentException("columns of unequal length: \"" + first.place.path() + "\" has "
                        + rows + " rows, \"" + child.place.path() + "\" has " + child.getLength());
            }
        }
        length = rows;
        return rows;
    }

    @Override
    void putNull() {
        settle();
        validity.makeRoom(length + 1, length + 1);
        children.fill(-1, false);
        validity.setNull(length, length + 1);
        length++;
    }

    @Override
    void putEmpty() {
        settle();
        children.fill(-1, false);
        length++;
    }

    @Override
    void makeRoom(long elements) {}

    @Override
    ArrayData build() {
        ArrayData[] fields = children.build();
        return data(validity.nullCount(), new @Nullable DeviceBuffer[] {validity.finish(length)}, fields);
    }

    @Override
    void reset() {
        children.reset();
        validity.reset();
        length = 0;
    }

    @Override
    String pathOf(ArrayBuilder child) {
        return place.pathOf(child.place.field().name());
    }

    @Override
    long indexOf(ArrayBuilder child, long childIndex) {
        return childIndex;
    }
}
