package dev.arrowdevice.internal.validation;

import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;

/**
 * Checks that an array fits its children, and the first and last of its offsets. Takes constant time for each array.
 */
public final class StructureValidator {
    private StructureValidator() {}

    /**
     * Checks one array, without its children.
     *
     * @param readable whether the host may read the buffers; otherwise their content is not checked
     */
    public static void validate(ArrayData array, boolean readable) {
        ArrayBuffers node = new ArrayBuffers(array);
        switch (node.type().id()) {
            case STRUCT:
            case SPARSE_UNION:
            case FIXED_SIZE_LIST:
                countedChildren(array, node);
                break;
            case LIST:
            case LARGE_LIST:
            case MAP:
                if (readable) {
                    offsets(array, node, array.child(0).getLength());
                }
                break;
            case UTF8:
            case LARGE_UTF8:
            case BINARY:
            case LARGE_BINARY:
                if (readable) {
                    offsets(array, node, Long.MAX_VALUE);
                }
                break;
            case RUN_END_ENCODED:
                runEnds(array, node.end(), readable);
                break;
            default:
                break;
        }
    }

    private static void countedChildren(ArrayData array, ArrayBuffers node) {
        long elements = node.childElements();
        if (elements > 1 && node.end() > Long.MAX_VALUE / elements) {
            throw new InvalidArrayException(
                    "length and offset of " + node.end() + " lists of " + elements + " elements overflow");
        }
        long needed = node.end() * elements;
        for (int i = 0; i < array.getChildCount(); i++) {
            requireLength(
                    node.type().children().get(i),
                    array.child(i).getLength(),
                    array.getOffset(),
                    array.getLength(),
                    needed);
        }
    }

    /** Checks that a child, by its length, has the elements that its parent needs, by its offset and length. */
    public static void requireLength(Field field, long length, long parentOffset, long parentLength, long needed) {
        if (length < needed) {
            throw new InvalidArrayException("child " + Brief.quoted(field.name()) + " has length " + length
                    + ", its parent's offset " + parentOffset + " and length " + parentLength + " need " + needed);
        }
    }

    private static void offsets(ArrayData array, ArrayBuffers node, long limit) {
        if (array.getLength() == 0) {
            return; // For empty arrays producers pass no offsets at all, or uninitialised ones.
        }
        if (array.buffer(1) == null) {
            throw new InvalidArrayException("the offsets are NULL");
        }
        Offsets offsets = node.offsets();
        long first = offsets.get(node.start());
        long last = offsets.get(node.end());
        if (first < 0 || first > last || last > limit) {
            throw new InvalidArrayException("the offsets go from " + first + " to " + last
                    + (limit == Long.MAX_VALUE ? "" : " in a child of length " + limit));
        }
    }

    /** Checks that the data of strings and binaries reaches to the last offset. */
    static void requireBytes(ArrayData array) {
        DeviceBuffer bytes = array.buffer(2);
        long byteSize = bytes == null ? 0 : bytes.getByteSize();
        ArrayBuffers node = new ArrayBuffers(array);
        long last = node.offsets().get(node.end());
        if (byteSize != DeviceBuffer.UNKNOWN_SIZE && last > byteSize) {
            throw new InvalidArrayException("the last offset is " + last + ", there are " + byteSize + " bytes");
        }
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
            if (runEnds.buffer(1) == null) {
                throw new InvalidArrayException("the values of the run ends are NULL");
            }
            long last = new ArrayBuffers(runEnds)
                    .integers(runEnds.getType().id())
                    .get(runEnds.getOffset() + runEnds.getLength() - 1);
            if (last < end) {
                throw new InvalidArrayException("the last run ends at " + last + ", before the array's end " + end);
            }
        }
    }
}
