package dev.arrowdevice.internal.operations;

import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Joins unions. Of the children of dense ones, only the ranges that the parts refer to. */
final class UnionConcat {
    private final Concat concat;
    private final List<ArrayData> parts;
    private final long length;
    private final UnionType type;

    UnionConcat(Concat concat, List<ArrayData> parts, long length) {
        this.concat = concat;
        this.parts = parts;
        this.length = length;
        this.type = (UnionType) parts.get(0).getType().storageType();
    }

    ArrayData concat() {
        DeviceBuffer ids = concat.blocks(parts, 0, length, 1);
        if (type.id() == TypeId.SPARSE_UNION) {
            return concat.node(parts.get(0), length, 0, new DeviceBuffer[] {ids}, concat.children(parts, 1), null);
        }
        int[] childOfId = type.childIndices();
        int childCount = type.fields().size();
        long[] before = new long[childCount];
        List<List<ArrayData>> used = new ArrayList<>();
        for (int child = 0; child < childCount; child++) {
            used.add(new ArrayList<>());
        }
        DeviceBuffer places = concat.output.allocate(Math.multiplyExact(length, 4L));
        HostMemory to = places.memory();
        long at = 0;
        for (ArrayData part : parts) {
            HostMemory typeIds = FixedWidth.from(part, 0, 1);
            Offsets offsets = new Offsets(FixedWidth.from(part, 1, 4), false);
            long[] first = new long[childCount];
            long[] end = new long[childCount];
            Arrays.fill(first, Long.MAX_VALUE);
            for (long i = 0; i < part.getLength(); i++) {
                int child = child(childOfId, typeIds.getByte(i));
                first[child] = Math.min(first[child], offsets.get(i));
                end[child] = Math.max(end[child], offsets.get(i) + 1);
            }
            for (int child = 0; child < childCount; child++) {
                first[child] = Math.min(first[child], end[child]);
                used.get(child).add(part.child(child).slice(first[child], end[child] - first[child]));
            }
            for (long i = 0; i < part.getLength(); i++) {
                int child = childOfId[typeIds.getByte(i)];
                long place = before[child] + offsets.get(i) - first[child];
                if (place > Integer.MAX_VALUE) {
                    throw VariableWidth.tooMuch(concat.operation);
                }
                to.putInt(at++ << 2, (int) place);
            }
            for (int child = 0; child < childCount; child++) {
                before[child] += end[child] - first[child];
            }
        }
        ArrayData[] children = new ArrayData[childCount];
        for (int child = 0; child < childCount; child++) {
            children[child] = concat.concat(used.get(child));
        }
        return concat.node(parts.get(0), length, 0, new DeviceBuffer[] {ids, places}, children, null);
    }

    private int child(int[] childOfId, byte id) {
        int child = id < 0 ? -1 : childOfId[id];
        if (child < 0) {
            throw new IllegalStateException(concat.operation + ": a value has type id " + id + ", which "
                    + Brief.type(type) + " lacks; validate the array");
        }
        return child;
    }
}
