package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** Checks that an array fits its children and the first and last of its offsets: constant time for each array. */
public final class StructureValidator {
    private StructureValidator() {}

    /**
     * Checks one array, not its children.
     *
     * @param readable whether the host may read the buffers; if not, what they say is not checked
     */
    public static void validate(ArrayData array, boolean readable) {
        ArrowType type = array.type().storageType();
        long end = array.offset() + array.length();
        switch (type.id()) {
            case STRUCT:
            case SPARSE_UNION:
                for (int i = 0; i < array.childCount(); i++) {
                    requireLength(array, i, end);
                }
                break;
            case FIXED_SIZE_LIST:
                int listSize = ((FixedSizeListType) type).listSize();
                if (listSize > 0 && end > Long.MAX_VALUE / listSize) {
                    throw new InvalidArrayException(
                            "length and offset of " + end + " lists of " + listSize + " elements overflow");
                }
                requireLength(array, 0, end * listSize);
                break;
            case LIST:
            case LARGE_LIST:
            case MAP:
                if (readable) {
                    offsets(array, array.child(0).length());
                }
                break;
            case UTF8:
            case LARGE_UTF8:
            case BINARY:
            case LARGE_BINARY:
                if (readable) {
                    offsets(array, Long.MAX_VALUE);
                }
                break;
            case RUN_END_ENCODED:
                runEnds(array, end, readable);
                break;
            default:
                break;
        }
    }

    private static void requireLength(ArrayData array, int child, long needed) {
        long length = array.child(child).length();
        if (length < needed) {
            String name = array.type().storageType().children().get(child).name();
            throw new InvalidArrayException("child \"" + name + "\" has length " + length + ", its parent's offset "
                    + array.offset() + " and length " + array.length() + " need " + needed);
        }
    }

    private static void offsets(ArrayData array, long limit) {
        if (array.length() == 0) {
            return; // Producers send no offsets at all, or unset ones, for empty arrays.
        }
        long first = offset(array, array.offset());
        long last = offset(array, array.offset() + array.length());
        if (first < 0 || first > last || last > limit) {
            throw new InvalidArrayException("the offsets go from " + first + " to " + last
                    + (limit == Long.MAX_VALUE ? "" : " in a child of length " + limit));
        }
    }

    private static long offset(ArrayData array, long position) {
        DeviceBuffer buffer = array.buffer(1);
        if (buffer == null) {
            throw new InvalidArrayException("the offsets are NULL");
        }
        HostMemory memory = buffer.memory();
        return array.type().storageType().layout().buffers().contains(BufferKind.OFFSETS64)
                ? memory.getLong(position * 8)
                : memory.getInt(position * 4);
    }

    private static void runEnds(ArrayData array, long end, boolean readable) {
        ArrayData runEnds = array.child(0);
        if (runEnds.length() > array.child(1).length()) {
            throw new InvalidArrayException(
                    runEnds.length() + " run ends for " + array.child(1).length() + " values");
        }
        if (runEnds.knownNullCount() > 0) {
            throw new InvalidArrayException("the run ends have " + runEnds.knownNullCount() + " nulls");
        }
        if (array.length() == 0) {
            return;
        }
        if (runEnds.length() == 0) {
            throw new InvalidArrayException("no runs with length " + array.length());
        }
        if (readable) {
            long last = RunEnds.get(runEnds, runEnds.length() - 1);
            if (last < end) {
                throw new InvalidArrayException("the last run ends at " + last + ", before the array's end " + end);
            }
        }
    }
}
