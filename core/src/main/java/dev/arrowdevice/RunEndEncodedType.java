package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Runs of equal values. "The run end type … can only be a signed integer type with width 16 to 64 bits", and "a run end
 * cannot be null". A run of nulls is a null in the values. The array itself has no buffers.
 *
 * @param runEnds the first child: the end of each run, exclusive; not nullable
 * @param values the second child: the value of each run
 */
public record RunEndEncodedType(Field runEnds, Field values) implements ArrowType {
    public RunEndEncodedType {
        if (!runEnds.type().id().isRunEnd()) {
            throw new InvalidSchemaException("run ends are int16, int32 or int64, not " + Brief.type(runEnds.type()));
        }
        if (runEnds.nullable()) {
            throw new InvalidSchemaException("run ends cannot be nullable");
        }
    }

    @Override
    public TypeId id() {
        return TypeId.RUN_END_ENCODED;
    }

    @Override
    public List<Field> children() {
        return List.of(runEnds, values);
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return Layouts.EMPTY;
    }

    @Override
    public String toString() {
        return "run_end_encoded<run_ends: " + runEnds.type() + ", values: " + values.type()
                + (values.nullable() ? ">" : " not null>");
    }
}
