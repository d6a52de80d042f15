package dev.arrowdevice.internal.owners;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Schema;
import dev.arrowdevice.StructType;

/** The conditions under which a struct array is a record batch. */
public final class BatchChecks {
    private BatchChecks() {}

    /** Refuses arrays with other fields. */
    public static void requireStruct(Schema schema, ArrowType type) {
        if (!(type instanceof StructType struct) || !struct.fields().equals(schema.fields())) {
            throw new IllegalArgumentException(
                    "an array of type " + type + " is no batch of " + ArrowType.struct(schema.fields()));
        }
    }

    /** Refuses nulls of the struct itself. */
    public static void requireNoNulls(long nulls) {
        if (nulls > 0) {
            throw new IllegalArgumentException(
                    "the struct array has " + nulls + " nulls of its own; the rows of a record batch can't be null");
        }
    }
}
