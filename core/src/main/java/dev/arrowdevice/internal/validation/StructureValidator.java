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
        ArrowType type = array.getType().storageType();
        long end = array.getOffset() + array.getLength();
        switch (type.id()) {
            case STRUCT:
            case SPARSE_UNION:
                for (int i = 0; i < array.getChildCount(); i++) {
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
                    offsets(array, array.child(0).getLength());
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
        long length = array.child(child).getLength();
        if (length < needed) {
            String name = array.getType().storageType().children().get(child).name();
            throw new InvalidArrayException("child \"" + name + "\" has length " + length + ", its parent's offset "
                    + array.getOffset() + " and length " + array.getLength() + " need " + needed);
        }
    }

    private static void offsets(ArrayData array, long limit) {
        if (array.getLength() == 0) {
            return; // Producers send no offsets at all, or unset ones, for empty arrays.
        }
        long first = offset(array, array.getOffset());
        long last = offset(array, array.getOffset() + array.getLength());
        if (first < 0 || first > last || last > limit) {
            throw new InvalidArrayException("the offsets go from " + first + " to " + last
                    + (limit == Long.MAX_VALUE ? "" : " in a child of length " + limit));
        }
    }

    /** Checks that the bytes which the offsets of texts and binaries address are there. */
    static void requireBytes(ArrayData array) {
        DeviceBuffer bytes = array.buffer(2);
        long byteSize = bytes == null ? 0 : bytes.getByteSize();
        long last = offset(array, array.getOffset() + array.getLength());
        if (byteSize != DeviceBuffer.UNKNOWN_SIZE && last > byteSize) {
            throw new InvalidArrayException("the last offset is " + last + ", there are " + byteSize + " bytes");
        }
    }

    private static long offset(ArrayData array, long position) {
        DeviceBuffer buffer = array.buffer(1);
        if (buffer == null) {
            throw new InvalidArrayException("the offsets are NULL");
        }
        HostMemory memory = buffer.memory();
        return array.getType().storageType().layout().buffers().contains(BufferKind.OFFSETS64)
                ? memory.getLong(position * 8)
                : memory.getInt(position * 4);
    }

    private static void runEnds(ArrayData array, long end, boolean readable) {
        ArrayData runEnds = array.child(0);
        if (runEnds.getLength() > array.child(1).getLength()) {
            throw new InvalidArrayException(
                    runEnds.getLength() + " run ends for " + array.child(1).getLength() + " values");
        }
        if (runEnds.getKnownNullCount() > 0) {
            throw new InvalidArrayException("the run ends have " + runEnds.getKnownNullCount() + " nulls");
        }
        if (array.getLength() == 0) {
            return;
        }
        if (runEnds.getLength() == 0) {
            throw new InvalidArrayException("no runs with length " + array.getLength());
        }
        if (readable) {
            long last = RunEnds.get(runEnds, runEnds.getLength() - 1);
            if (last < end) {
                throw new InvalidArrayException("the last run ends at " + last + ", before the array's end " + end);
            }
        }
    }
}
