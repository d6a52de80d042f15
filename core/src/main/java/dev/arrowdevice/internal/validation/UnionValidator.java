package dev.arrowdevice.internal.validation;

import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;

/**
 * Checks the type ids and, for dense unions, the offsets. The offsets of one child must be "in order / increasing";
 * equal ones are accepted, as in Arrow C++.
 */
final class UnionValidator {
    private UnionValidator() {}

    static void validate(ArrayData array, ArrayBuffers buffers) {
        UnionType type = (UnionType) array.getType().storageType();
        int[] childOf = new int[128];
        Arrays.fill(childOf, -1);
        for (int i = 0; i < type.typeIds().size(); i++) {
            childOf[type.typeIds().get(i)] = i;
        }
        HostMemory typeIds = buffers.memory(0);
        Offsets offsets = type.id() == TypeId.DENSE_UNION ? buffers.offsets() : null;
        long[] before = new long[array.getChildCount()];
        for (long i = 0; i < array.getLength(); i++) {
            long position = array.getOffset() + i;
            byte typeId = typeIds.getByte(position);
            int child = typeId < 0 ? -1 : childOf[typeId];
            if (child < 0) {
                throw new InvalidArrayException(
                        "the type id at index " + i + " is " + typeId + ", the union has " + type.typeIds());
            }
            if (offsets != null) {
                long offset = offsets.get(position);
                long limit = array.child(child).getLength();
                if (offset < 0 || offset >= limit) {
                    throw new InvalidArrayException("the union offset at index " + i + " is " + offset + ", child "
                            + child + " has length " + limit);
                }
                if (offset < before[child]) {
                    throw new InvalidArrayException("the union offset at index " + i + " is " + offset + ", after "
                            + before[child] + " in the same child " + child);
                }
                before[child] = offset;
            }
        }
    }
}
