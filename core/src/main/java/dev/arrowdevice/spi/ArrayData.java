package dev.arrowdevice.spi;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.Bits;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The structure of an array: a node of the tree that an {@code ArrowArray} describes. Immutable. It owns nothing: it
 * says where the memory is, and not how long the memory lives.
 *
 * <p>{@code offset} and {@code length} count elements. The buffers are those of the columnar format for the type, in
 * its order. A buffer that may be absent in the format is null if it is absent. A view type has one more buffer for
 * each of its variadic data buffers, after the views. The C interface adds a buffer with the sizes of those; here the
 * buffers know their sizes.
 */
// Not sealed, although LateStruct is its only subclass: Kotlin 2.2 can't call the constructor of a sealed class.
public class ArrayData {
    /** The null count of an array whose nulls were not counted yet. */
    public static final long UNKNOWN_NULL_COUNT = -1;

    private final ArrowType type;
    private final Device device;
    private final long length;
    private final long offset;
    final @Nullable DeviceBuffer[] buffers;
    private final ArrayData[] children;
    private final @Nullable ArrayData dictionary;
    private long nullCount;

    /**
     * Describes an array. The parameters that are Java arrays are not copied and must not change afterwards.
     *
     * @param nullCount the number of elements that the validity bitmap marks null, or {@link #UNKNOWN_NULL_COUNT}
     * @throws IllegalArgumentException if length or offset is negative, the null count is impossible, or the number of
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
        this(type, device, length, offset, nullCount, buffers, children, dictionary, children.length);
    }

    /** With children that a subclass has. */
    ArrayData(
            ArrowType type,
            Device device,
            long length,
            long offset,
            long nullCount,
            @Nullable DeviceBuffer[] buffers,
            ArrayData[] children,
            @Nullable ArrayData dictionary,
            int childCount) {
        if (length < 0 || offset < 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("an array of length " + length + " at offset " + offset);
        }
        if (nullCount < UNKNOWN_NULL_COUNT || nullCount > length) {
            throw new IllegalArgumentException("null count " + nullCount + " of an array of length " + length);
        }
        ArrowType storage = type.storageType();
        if (childCount != storage.children().size()) {
            throw new IllegalArgumentException(
                    type + " has " + storage.children().size() + " children, not " + childCount);
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

    /**
     * Describes a struct of many fields, of which a caller may ask for few. Thread-safe if the function is.
     *
     * @param children the fields that are known; null where they are to be made. Its length is the number of fields
     * @param missing makes a field when it is first asked for, and perhaps again for another thread. It must not fail
     */
    public static ArrayData ofStruct(
            ArrowType type,
            Device device,
            long length,
            long offset,
            long nullCount,
            @Nullable DeviceBuffer[] buffers,
            @Nullable ArrayData[] children,
            IntFunction<ArrayData> missing) {
        return new LateStruct(
                type, device, length, offset, nullCount, buffers, new AtomicReferenceArray<>(children), missing);
    }

    /** The logical type. */
    public final ArrowType getType() {
        return type;
    }

    /** The device that all buffers of the tree belong to. */
    public final Device getDevice() {
        return device;
    }

    /** Whether the host can read all buffers of the tree. */
    public final boolean isHostReadable() {
        return Devices.isHostReadable(device) || (anyHostReadable() && allHostReadable());
    }

    /**
     * Whether the host can read some buffer of the tree. The others may be unreadable if the device's runtime decides
     * by address.
     */
    public final boolean isPartlyHostReadable() {
        return Devices.isHostReadable(device) || anyHostReadable();
    }

    private boolean anyHostReadable() {
        boolean any = dictionary != null && dictionary.anyHostReadable();
        for (int i = 0; i < buffers.length && !any; i++) {
            DeviceBuffer buffer = buffers[i];
            any = buffer != null && buffer.isHostReadable();
        }
        for (int i = 0; i < getChildCount() && !any; i++) {
            any = child(i).anyHostReadable();
        }
        return any;
    }

    private boolean allHostReadable() {
        boolean all = dictionary == null || dictionary.allHostReadable();
        for (int i = 0; i < buffers.length && all; i++) {
            DeviceBuffer buffer = buffers[i];
            all = buffer == null || buffer.isHostReadable();
        }
        for (int i = 0; i < getChildCount() && all; i++) {
            all = child(i).allHostReadable();
        }
        return all;
    }

    /** The number of elements. */
    public final long getLength() {
        return length;
    }

    /** The offset of the first element in the buffers, in elements. */
    public final long getOffset() {
        return offset;
    }

    /** The number of buffers. For view types this includes the variadic ones, but not the buffer of their sizes. */
    public final int getBufferCount() {
        return buffers.length;
    }

    /** A buffer, or null if it is absent. */
    public final @Nullable DeviceBuffer buffer(int index) {
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

    /** The dictionary of a dictionary-encoded array, otherwise null. */
    public final @Nullable ArrayData getDictionary() {
        return dictionary;
    }

    /** The null count if it is known without reading memory, otherwise {@link #UNKNOWN_NULL_COUNT}. */
    public final long getKnownNullCount() {
        return nullCount;
    }

    /** The validity bitmap, or null if all elements are valid or the type has none. */
    public final @Nullable DeviceBuffer getValidity() {
        return buffers.length > 0 && type.storageType().layout().hasValidity() ? buffers[0] : null;
    }

    /**
     * The number of nulls that the validity bitmap marks. If it is unknown, the first call counts them. For the null
     * type these are all elements; for unions and run-end encoded arrays, which have no bitmap, it is 0.
     *
     * @throws dev.arrowdevice.UnreadableDeviceException if the nulls must be counted in memory that the host can't read
     */
    public final long getNullCount() {
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
     * Stores a null count that was computed elsewhere, such as on the device.
     *
     * @throws IllegalArgumentException if the count is impossible
     */
    public final void countedNulls(long count) {
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
    public final ArrayData slice(long sliceOffset, long sliceLength) {
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
        return with(type, sliceLength, offset + sliceOffset, nulls);
    }

    /** The same structure with another type of the same layout, for example an extension of its storage type. */
    public final ArrayData withType(ArrowType newType) {
        return with(newType, length, offset, nullCount);
    }

    /** The same buffers and children. */
    ArrayData with(ArrowType newType, long newLength, long newOffset, long newNullCount) {
        return new ArrayData(newType, device, newLength, newOffset, newNullCount, buffers, children, dictionary);
    }
}
