package dev.arrowdevice.spi;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.Bits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The structure of an array: a node of the tree that an {@code ArrowArray} describes. Immutable, and no owner: it says
 * where the memory is, not how long it lives.
 *
 * <p>{@code offset} and {@code length} count elements. The buffers are those of the columnar format for the type, in its
 * order; a buffer that the format lets be absent is null. View types have one buffer for each of their variadic data
 * buffers after the views; the sizes that the C interface passes in one more buffer are the sizes of these.
 */
public final class ArrayData {
    /** The null count that says "not computed yet". */
    public static final long UNKNOWN_NULL_COUNT = -1;

    private final ArrowType type;
    private final Device device;
    private final long length;
    private final long offset;
    private final @Nullable DeviceBuffer[] buffers;
    private final ArrayData[] children;
    private final @Nullable ArrayData dictionary;
    private long nullCount;

    /**
     * Describes an array; the arrays passed are not copied and must not change afterwards.
     *
     * @param nullCount the number of elements that the validity bitmap marks null, or {@link #UNKNOWN_NULL_COUNT}
     * @throws IllegalArgumentException if length or offset is negative, the null count impossible, or the number of
     *     children or the presence of a dictionary does not fit the type
     */
    public ArrayData(
            ArrowType type,
            Device device,
            long length,
            long offset,
            long nullCount,
            @Nullable DeviceBuffer[] buffers,
            ArrayData[] children,
            @Nullable ArrayData dictionary) {
        if (length < 0 || offset < 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("an array of length " + length + " at offset " + offset);
        }
        if (nullCount < UNKNOWN_NULL_COUNT || nullCount > length) {
            throw new IllegalArgumentException("null count " + nullCount + " of an array of length " + length);
        }
        ArrowType storage = type.storageType();
        if (children.length != storage.children().size()) {
            throw new IllegalArgumentException(
                    type + " has " + storage.children().size() + " children, not " + children.length);
        }
        if ((dictionary != null) != (storage.id() == TypeId.DICTIONARY)) {
            throw new IllegalArgumentException(
                    type + (dictionary == null ? " needs a dictionary" : " has no dictionary"));
        }
        this.type = type;
        this.device = device;
        this.length = length;
        this.offset = offset;
        this.nullCount = nullCount;
        this.buffers = buffers;
        this.children = children;
        this.dictionary = dictionary;
    }

    /** The logical type. */
    public ArrowType getType() {
        return type;
    }

    /** The device that all buffers of the tree belong to. */
    public Device getDevice() {
        return device;
    }

    /** Whether the host can read all buffers of the tree. */
    public boolean isHostReadable() {
        return Devices.isHostReadable(device) || (anyHostReadable() && allHostReadable());
    }

    /** Whether the host can read some buffer of the tree; where a runtime tells by address others may be unreadable. */
    public boolean isPartlyHostReadable() {
        return Devices.isHostReadable(device) || anyHostReadable();
    }

    private boolean anyHostReadable() {
        boolean any = dictionary != null && dictionary.anyHostReadable();
        for (int i = 0; i < buffers.length && !any; i++) {
            DeviceBuffer buffer = buffers[i];
            any = buffer != null && buffer.isHostReadable();
        }
        for (int i = 0; i < children.length && !any; i++) {
            any = children[i].anyHostReadable();
        }
        return any;
    }

    private boolean allHostReadable() {
        boolean all = dictionary == null || dictionary.allHostReadable();
        for (int i = 0; i < buffers.length && all; i++) {
            DeviceBuffer buffer = buffers[i];
            all = buffer == null || buffer.isHostReadable();
        }
        for (int i = 0; i < children.length && all; i++) {
            all = children[i].allHostReadable();
        }
        return all;
    }

    /** The number of elements. */
    public long getLength() {
        return length;
    }

    /** The number of elements in the buffers before the first one of this array. */
    public long getOffset() {
        return offset;
    }

    /** The number of buffers; for view types with the variadic ones, without their sizes. */
    public int getBufferCount() {
        return buffers.length;
    }

    /** A buffer, null if it is absent. */
    public @Nullable DeviceBuffer buffer(int index) {
        return buffers[index];
    }

    /** The number of child arrays. */
    public int getChildCount() {
        return children.length;
    }

    /** A child, with its own offset; the offset of this array is not applied to it. */
    public ArrayData child(int index) {
        return children[index];
    }

    /** The dictionary of a dictionary-encoded array, else null. */
    public @Nullable ArrayData getDictionary() {
        return dictionary;
    }

    /** The null count if it is known without reading memory, else {@link #UNKNOWN_NULL_COUNT}. */
    public long getKnownNullCount() {
        return nullCount;
    }

    /** The validity bitmap; null if all elements are valid or the type has none. */
    public @Nullable DeviceBuffer getValidity() {
        return buffers.length > 0 && type.storageType().layout().hasValidity() ? buffers[0] : null;
    }

    /**
     * The number of nulls that the validity bitmap marks; computed at the first call if it came unknown. The null type
     * counts all elements; unions and run-end encoded arrays, which have no bitmap, count none.
     *
     * @throws dev.arrowdevice.UnreadableDeviceException if it must be computed from memory that the host can't
     *     read
     */
    public long getNullCount() {
        long known = nullCount;
        if (known == UNKNOWN_NULL_COUNT) {
            DeviceBuffer validity = getValidity();
            if (type.storageType().id() == TypeId.NULL) {
                known = length;
            } else if (validity == null || length == 0) {
                known = 0;
            } else {
                known = length - Bits.countSet(validity.memory(), offset, length);
            }
            nullCount = known;
        }
        return known;
    }

    /**
     * Takes in a null count that was computed elsewhere, such as on the device.
     *
     * @throws IllegalArgumentException if there can't be that many
     */
    public void countedNulls(long count) {
        if (count < 0 || count > length) {
            throw new IllegalArgumentException("null count " + count + " of an array of length " + length);
        }
        nullCount = count;
    }

    /**
     * A range of this array, in the same buffers.
     *
     * @throws IndexOutOfBoundsException if the range does not lie within the array
     */
    public ArrayData slice(long sliceOffset, long sliceLength) {
        if (sliceOffset < 0 || sliceLength < 0 || sliceOffset > length - sliceLength) {
            throw new IndexOutOfBoundsException(
                    "slice(" + sliceOffset + ", " + sliceLength + ") of an array of length " + length);
        }
        long nulls = UNKNOWN_NULL_COUNT;
        if (nullCount == 0) {
            nulls = 0;
        } else if (nullCount == length) {
            nulls = sliceLength;
        }
        return new ArrayData(type, device, sliceLength, offset + sliceOffset, nulls, buffers, children, dictionary);
    }

    /** The same structure under another type with the same layout, for example an extension of its storage. */
    public ArrayData withType(ArrowType newType) {
        return new ArrayData(newType, device, length, offset, nullCount, buffers, children, dictionary);
    }

    /** The same structure with other children. */
    public ArrayData withChildren(List<ArrayData> newChildren) {
        return new ArrayData(
                type, device, length, offset, nullCount, buffers, newChildren.toArray(new ArrayData[0]), dictionary);
    }
}
