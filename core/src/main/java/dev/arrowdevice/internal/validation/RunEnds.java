package dev.arrowdevice.internal.validation;

import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** Reads integers of 8 to 64 bits from an array whose structure is not validated yet. */
final class RunEnds {
    private RunEnds() {}

    static long get(ArrayData integers, long index) {
        DeviceBuffer buffer = integers.buffer(1);
        if (buffer == null) {
            throw new InvalidArrayException("the values of the run ends are NULL");
        }
        HostMemory memory = buffer.memory();
        long position = integers.getOffset() + index;
        switch (integers.getType().id()) {
            case INT16:
                return memory.getShort(position * 2);
            case INT32:
                return memory.getInt(position * 4);
            default:
                return memory.getLong(position * 8);
        }
    }
}
