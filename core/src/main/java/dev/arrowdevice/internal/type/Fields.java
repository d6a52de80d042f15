package dev.arrowdevice.internal.type;

import dev.arrowdevice.Field;
import java.util.List;
import java.util.StringJoiner;

/** Finds fields by name, for structs and schemas. */
public final class Fields {
    private Fields() {}

    public static int indexOf(List<Field> fields, String name) {
        int found = -1;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(name)) {
                if (found >= 0) {
                    throw new IllegalArgumentException("more than one field is named " + Brief.quoted(name) + " (at "
                            + found + " and " + i + "): ask for it by its index");
                }
                found = i;
            }
        }
        return found;
    }

    public static int requireIndexOf(List<Field> fields, String name) {
        int index = indexOf(fields, name);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "no field is named " + Brief.quoted(name) + " among [" + Brief.names(fields) + "]");
        }
        return index;
    }

    public static String join(String prefix, List<Field> fields, String suffix) {
        StringJoiner joined = new StringJoiner(", ", prefix, suffix);
        fields.forEach(field -> joined.add(field.toString()));
        return joined.toString();
    }
}
