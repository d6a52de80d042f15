package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.Field;
import dev.arrowdevice.Schema;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Fields;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of a batch, found, exchanged and compared. No value is read. */
public final class Columns {
    private Columns() {}

    /** The index of the one column with a name. */
    public static int indexOf(Schema schema, String name, String operation) {
        int index = Fields.indexOf(schema.fields(), name);
        if (index < 0) {
            throw new IllegalArgumentException(operation + ": no column is named " + Brief.quoted(name)
                    + "; there are: " + Brief.names(schema.fields()));
        }
        return index;
    }

    /** The field of a column. */
    public static Field field(Schema schema, int column, String operation) {
        if (column < 0 || column >= schema.size()) {
            throw new IndexOutOfBoundsException(operation + ": column " + column + " of a batch of " + schema.size());
        }
        return schema.field(column);
    }

    /** The indices of all columns but those with some names. */
    public static int[] others(Schema schema, String[] names) {
        boolean[] dropped = new boolean[schema.size()];
        for (String name : names) {
            dropped[indexOf(schema, name, "drop")] = true;
        }
        int[] kept = new int[schema.size()];
        int count = 0;
        for (int i = 0; i < dropped.length; i++) {
            if (!dropped[i]) {
                kept[count++] = i;
            }
        }
        return Arrays.copyOf(kept, count);
    }

    /** A column of a batch, from its first row on. */
    public static ArrayData child(ArrayData struct, int column) {
        return struct.child(column).slice(struct.getOffset(), struct.getLength());
    }

    /** A struct without nulls. */
    public static ArrayData struct(ArrowType type, Device device, long length, ArrayData[] children) {
        return new ArrayData(type, device, length, 0, 0, new @Nullable DeviceBuffer[] {null}, children, null);
    }

    /** Refuses batches of different fields. */
    public static void requireSameFields(Schema first, Schema other, int index) {
        List<Field> expected = first.fields();
        List<Field> fields = other.fields();
        if (fields.size() != expected.size()) {
            throw new IllegalArgumentException("concat: batch " + index + " has " + fields.size()
                    + " columns, and batch 0 has " + expected.size());
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.get(i).equals(expected.get(i))) {
                throw new IllegalArgumentException("concat: column " + i + " of batch " + index + " is "
                        + text(fields.get(i)) + ", and of batch 0 " + text(expected.get(i))
                        + "; fields, with their nullability and metadata, must be equal");
            }
        }
    }

    private static String text(Field field) {
        return Brief.quoted(field.name()) + ": " + Brief.type(field.type()) + (field.nullable() ? "" : " not null");
    }
}
