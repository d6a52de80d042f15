package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds structs from the values of their fields: by column, filling one field after the other, or by row. Rows of which
 * all fields have a value are complete and need no further call.
 *
 * <pre>
 *   structs.child("city").append("Ulm");            // any number of rows
 *   structs.child("zip").append(89073);
 *   structs.append(Map.of("city", "Ulm", "zip", 89073));
 *   structs.appendNull();                           // all fields must have equally many values by now
 * </pre>
 */
public final class StructBuilder extends ArrayBuilder {
    private final List<ArrayBuilder> children = new ArrayList<>();
    private boolean fieldsAdded;

    StructBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        for (Field child : field.children()) {
            children.add(Builders.of(child, memory, this));
        }
    }

    /** {@inheritDoc} The type has the fields that there are now. */
    @Override
    public Field getField() {
        if (!hasAddedFields()) {
            return super.getField();
        }
        List<Field> fields = new ArrayList<>();
        children.forEach(child -> fields.add(child.getField()));
        return super.getField().withType(ArrowType.struct(fields));
    }

    private boolean hasAddedFields() {
        for (ArrayBuilder child : children) {
            if (child instanceof StructBuilder struct && struct.hasAddedFields()) {
                return true;
            }
        }
        return fieldsAdded;
    }

    /** The number of fields. */
    public int childCount() {
        return children.size();
    }

    /** The builders of all fields, in order. */
    public List<ArrayBuilder> children() {
        return List.copyOf(children);
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
        int index = indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException(at("") + "no field is named \"" + name + "\"; there are: " + names());
        }
        return children.get(index);
    }

    /** The builder of a field as one of a nested type, see {@link ArrayBuilder#as}. */
    public <B extends ArrayBuilder> B child(String name, Class<B> builderClass) {
        return child(name).as(builderClass);
    }

    /**
     * Adds a field behind the others and gives its builder, to which rows that are there already must be appended too.
     *
     * @throws IllegalStateException if this builder is not the root, and its parent is no struct: then the type is given
     */
    public ArrayBuilder addField(Field field) {
        memory.requireOpen("addField");
        if (!hasFreeType()) {
            throw new IllegalStateException(at("") + "addField: the type " + getType() + " is given from outside");
        }
        ArrayBuilder child = Builders.of(field, memory, this);
        children.add(child);
        fieldsAdded = true;
        return child;
    }

    private boolean hasFreeType() {
        ArrayBuilder parent = parent();
        boolean plain = super.getField().type() == super.getField().type().storageType();
        return plain && (parent == null || parent instanceof StructBuilder struct && struct.hasFreeType());
    }

    /**
     * Ends a row, which all fields must have a value for. Only needed where there are no fields, and as a check.
     *
     * @throws IllegalArgumentException if a field has more or fewer values
     */
    public void appendRow() {
        memory.requireOpen("appendRow");
        for (ArrayBuilder child : children) {
            long values = child.settle();
            if (values != length + 1) {
                throw fail(
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
            Iterable<?> values = value instanceof Object[] array ? java.util.Arrays.asList(array) : (Iterable<?>) value;
            List<@Nullable Object> row = new ArrayList<>();
            values.forEach(row::add);
            if (row.size() != children.size()) {
                throw fail(row.size() + " values for the " + children.size() + " fields " + names());
            }
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

    private void requireKnownNames(Map<?, ?> map) {
        for (Object name : map.keySet()) {
            if (!(name instanceof String text) || indexOf(text) < 0) {
                throw fail("no field is named \"" + name + "\"; there are: " + names());
            }
        }
    }

    @Override
    long settle() {
        memory.requireOpen("append");
        if (children.isEmpty()) {
            return length;
        }
        ArrayBuilder first = children.get(0);
        long rows = first.settle();
        for (ArrayBuilder child : children) {
            if (child.settle() != rows) {
                throw new IllegalArgumentException("columns of unequal length: \"" + first.path() + "\" has " + rows
                        + " rows, \"" + child.path() + "\" has " + child.getLength());
            }
        }
        length = rows;
        return rows;
    }

    @Override
    void putNull() {
        settle();
        children.forEach(ArrayBuilder::appendFiller);
        validity.setNull(length, capacity);
        length++;
    }

    @Override
    void appendEmpty() {
        settle();
        children.forEach(ArrayBuilder::appendFiller);
        length++;
    }

    @Override
    void putZero(long index) {}

    @Override
    void resize(long newCapacity) {}

    @Override
    ArrayData build() {
        ArrayData[] data = new ArrayData[children.size()];
        for (int i = 0; i < data.length; i++) {
            data[i] = children.get(i).build();
        }
        return data(withValidity(), data);
    }

    @Override
    void reset() {
        super.reset();
        children.forEach(ArrayBuilder::reset);
    }

    @Override
    String pathOf(BuilderNode child) {
        String name = ((ArrayBuilder) child).getField().name();
        return path().isEmpty() ? name : path() + "." + name;
    }

    @Override
    long indexOf(BuilderNode child, long childIndex) {
        return childIndex;
    }

    private int indexOf(String name) {
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).getField().name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private String names() {
        StringBuilder names = new StringBuilder();
        for (ArrayBuilder child : children) {
            names.append(names.length() == 0 ? "" : ", ")
                    .append(child.getField().name());
        }
        return names.toString();
    }
}
