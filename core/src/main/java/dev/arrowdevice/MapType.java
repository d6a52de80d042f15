package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Maps: lists of entries, each a struct of key and value, with 32-bit offsets.
 *
 * <p>"Neither the 'entries' field nor the 'key' field may be nullable". {@link ArrowType#map(Field, Field, boolean)}
 * requires that. This constructor accepts nullable ones too, because some producers flag them so, and keeps the flags.
 *
 * @param entries the one child: a struct of two fields, the key first, whatever their names
 * @param keysSorted whether the keys within each map are in order
 */
public record MapType(Field entries, boolean keysSorted) implements ArrowType {
    public MapType {
        int fields =
                entries.type() instanceof StructType struct ? struct.fields().size() : -1;
        if (fields != 2) {
            throw new InvalidSchemaException(
                    "the child of a map is a struct of two fields, key and value, not " + Brief.type(entries.type()));
        }
    }

    /** The field of the keys. */
    public Field key() {
        return entries.type().children().get(0);
    }

    /** The field of the values. */
    public Field value() {
        return entries.type().children().get(1);
    }

    @Override
    public TypeId id() {
        return TypeId.MAP;
    }

    @Override
    public List<Field> children() {
        return List.of(entries);
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return Layouts.LIST32;
    }

    @Override
    public String toString() {
        return "map<" + key().type() + ", " + value().type() + (value().nullable() ? "" : " not null")
                + (keysSorted ? ", keys_sorted>" : ">");
    }
}
