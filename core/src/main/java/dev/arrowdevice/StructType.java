package dev.arrowdevice;

import dev.arrowdevice.internal.type.Fields;
import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/** Rows of fields. Names may repeat and may be empty. */
public record StructType(List<Field> fields) implements ArrowType {
    public StructType {
        fields = List.copyOf(fields);
    }

    /**
     * The position of the field {@code name}, or -1 when there is none.
     *
     * @throws IllegalArgumentException when more than one field has the name
     */
    public int fieldIndex(String name) {
        return Fields.indexOf(fields, name);
    }

    /**
     * The field {@code name}.
     *
     * @throws IllegalArgumentException if there is none, or more than one, of this name; the message lists the names
     */
    public Field field(String name) {
        return fields.get(Fields.requireIndexOf(fields, name));
    }

    @Override
    public TypeId id() {
        return TypeId.STRUCT;
    }

    @Override
    public List<Field> children() {
        return fields;
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return Layouts.VALIDITY_ONLY;
    }

    @Override
    public String toString() {
        return Fields.join("struct<", fields, ">");
    }
}
