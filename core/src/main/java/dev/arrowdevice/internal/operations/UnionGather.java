package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;

/** Selected values of a union. Unions have no nulls of their own, so a missing value is a null of a nullable child. */
final class UnionGather {
    private final Gather gather;
    private final ArrayData source;
    private final Selection selection;
    private final UnionType type;
    private final HostMemory typeIds;

    /** The child of missing values, or -1 if there are none. */
    private final int missing;

    UnionGather(Gather gather, ArrayData source, Selection selection) {
        this.gather = gather;
        this.source = source;
        this.selection = selection;
        this.type = (UnionType) source.getType().storageType();
        this.typeIds = FixedWidth.from(source, 0, 1);
        this.missing = selection.hasMissing() ? childOfMissing() : -1;
    }

    /** A nullable child, or the first one where nobody reads the value because its parent is null. */
    private int childOfMissing() {
        List<Field> fields = type.fields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).nullable() && canBeNull(fields.get(i).type())) {
                return i;
            }
        }
        return 0;
    }

    /** Whether a missing value of a type can be null: unions and runs have no nulls of their own. */
    static boolean canBeNull(ArrowType type) {
        ArrowType storage = type.storageType();
        switch (storage.id()) {
            case SPARSE_UNION:
            case DENSE_UNION:
                return storage.children().stream().anyMatch(child -> child.nullable() && canBeNull(child.type()));
            case RUN_END_ENCODED:
                Field values = ((RunEndEncodedType) storage).values();
                return values.nullable() && canBeNull(values.type());
            default:
                return true;
        }
    }

    ArrayData gather() {
        DeviceBuffer ids = gather.values(source, 0, 1, selection);
        int idOfMissing = missing < 0 ? 0 : type.typeIds().get(missing);
        if (missing >= 0 && idOfMissing != 0) {
            markMissing(ids.memory(), (byte) idOfMissing);
        }
        if (type.id() == TypeId.DENSE_UNION) {
            return dense(ids);
        }
        ArrayData[] children = new ArrayData[source.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            ArrayData child = source.child(i).slice(source.getOffset(), source.getLength());
            children[i] = gather.gather(child, selection, type.fields().get(i).nullable());
        }
        return gather.node(source, selection, 0, new DeviceBuffer[] {ids}, children);
    }

    private void markMissing(HostMemory ids, byte id) {
        Selection.Walk walk = selection.walk();
        for (long at = 0; walk.next(); at++) {
            if (walk.position < 0) {
                ids.putByte(at, id);
            }
        }
    }

    /** Each child has only its selected values, one after the other. */
    private ArrayData dense(DeviceBuffer ids) {
        int[] childOfId = type.childIndices();
        int[] counts = new int[source.getChildCount()];
        boolean[] missingIn = new boolean[counts.length];
        DeviceBuffer places = gather.output.allocate(Math.multiplyExact(selection.length(), 4L));
        HostMemory newIds = ids.memory();
        HostMemory newOffsets = places.memory();
        for (long i = 0; i < selection.length(); i++) {
            byte id = newIds.getByte(i);
            int child = id < 0 ? -1 : childOfId[id];
            if (child < 0) {
                throw new IllegalStateException(gather.operation + ": a value has type id " + id + ", which "
                        + Brief.type(type) + " lacks; validate the array");
            }
            newOffsets.putInt(i << 2, counts[child]++);
            if (counts[child] < 0) {
                throw VariableWidth.tooMuch(gather.operation);
            }
        }
        if (missing >= 0) {
            missingIn[missing] = true;
        }
        Offsets offsets = new Offsets(FixedWidth.from(source, 1, 4), false);
        ArrayData[] children = new ArrayData[counts.length];
        for (int i = 0; i < counts.length; i++) {
            Selection ofChild = ChildSelections.ofDenseUnion(
                    selection, typeIds, offsets, type.typeIds().get(i), missingIn[i], counts[i]);
            children[i] =
                    gather.gather(source.child(i), ofChild, type.fields().get(i).nullable());
        }
        return gather.node(source, selection, 0, new DeviceBuffer[] {ids, places}, children);
    }
}
