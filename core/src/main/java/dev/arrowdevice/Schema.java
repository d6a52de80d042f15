package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of a record batch. In the C data interface a schema is a struct that is not nullable.
 *
 * @param fields the columns; names may repeat and may be empty
 * @param metadata keys and values of the schema
 */
public record Schema(List<Field> fields, Metadata metadata) {
    public Schema {
        fields = List.copyOf(fields);
    }

    /** A schema without metadata. */
    public static Schema of(Field... fields) {
        return of(Arrays.asList(fields));
    }

    /** A schema without metadata. */
    public static Schema of(List<Field> fields) {
        return new Schema(fields, Metadata.EMPTY);
    }

    /**
     * The schema that a struct field describes.
     *
     * @throws InvalidSchemaException when the field is no struct
     */
    public static Schema fromStruct(Field struct) {
        if (!(struct.type() instanceof StructType type)) {
            throw new InvalidSchemaException("a schema is a struct, not " + Brief.type(struct.type()));
        }
        return new Schema(type.fields(), struct.metadata());
    }

    /** This schema as a struct field: nameless, not nullable, with the schema's metadata. */
    public Field toStruct() {
        return new Field("", new StructType(fields), false, metadata);
    }

    /**
     * The field at {@code index}.
     *
     * @throws IndexOutOfBoundsException when there is none
     */
    public Field field(int index) {
        return fields.get(index);
    }

    /**
     * The field {@code name}.
     *
     * @throws IllegalArgumentException if there is none, or more than one, of this name; the message lists the names
     */
    public Field field(String name) {
        return fields.get(Fields.requireIndexOf(fields, name));
    }

    /**
     * The position of the field {@code name}, or -1 when there is none.
     *
     * @throws IllegalArgumentException if more than one field has the name, because choosing one would be a guess
     */
    public int fieldIndex(String name) {
        return Fields.indexOf(fields, name);
    }

    /** The number of fields. */
    public int size() {
        return fields.size();
    }

    /** The names of the fields, in order. */
    public List<String> names() {
        List<String> names = new ArrayList<>(fields.size());
        fields.forEach(field -> names.add(field.name()));
        return List.copyOf(names);
    }

    /** This schema with other metadata in place of its own. */
    public Schema withMetadata(Metadata metadata) {
        return new Schema(fields, metadata);
    }

    /** This schema with one more field at its end. */
    public Schema plus(Field field) {
        List<Field> more = new ArrayList<>(fields);
        more.add(field);
        return new Schema(more, metadata);
    }

    /** One line per field, then one per metadata entry. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Field field : fields) {
            text.append(text.length() == 0 ? "" : "\n").append(field);
        }
        if (!metadata.isEmpty()) {
            text.append(text.length() == 0 ? "" : "\n").append("-- metadata --");
            metadata.lines().forEach(line -> text.append('\n').append(line));
        }
        return text.toString();
    }
}
