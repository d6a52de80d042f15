package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.Layout;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an imported struct that are arrays of fixed width, strings or binaries in CPU memory: as numbers, which
 * are read and checked once. A field becomes objects when it is first asked for, since of a wide batch many consumers
 * read few columns.
 */
final class FlatFields implements IntFunction<ArrayData> {
    /** With fewer fields, the objects cost less than the numbers and some of the objects. */
    static final int FEWEST = 4;

    /** Below these, no size overflows. */
    private static final long MAX_ELEMENTS = 1L << 48;

    private static final int MAX_BITS = 256;

    /** The numbers of a field: its members, addresses of its three buffers, and the size of the third in bytes. */
    private static final int LENGTH = 0;

    private static final int OFFSET = 1;
    private static final int NULL_COUNT = 2;
    private static final int VALIDITY = 3;
    private static final int SECOND = 4;
    private static final int THIRD = 5;
    private static final int THIRD_SIZE = 6;
    private static final int NUMBERS = 7;

    private static final ArrayData[] NO_CHILDREN = {};

    private final List<Field> fields;
    private final ReferenceCounted owner;
    private final boolean keepsValidity;
    private final long[] numbers;

    /** @param keepsValidity whether a validity bitmap is kept although there are no nulls */
    FlatFields(List<Field> fields, ReferenceCounted owner, boolean keepsValidity) {
        this.fields = fields;
        this.owner = owner;
        this.keepsValidity = keepsValidity;
        this.numbers = new long[Math.multiplyExact(fields.size(), NUMBERS)];
    }

    /**
     * Takes the array of a field, unless something about it is unusual or wrong. Then the {@link ArrayImporter} must
     * look at it, which says what is wrong.
     *
     * @param array the address of its struct
     * @param neededLength the least length
     */
    boolean take(int index, long array, long neededLength) {
        ArrowType storage = fields.get(index).type().storageType();
        Layout layout = storage.layout();
        boolean fixed = layout.bitWidth() > 0 && layout.bitWidth() <= MAX_BITS && storage.id() != TypeId.DICTIONARY;
        if (!fixed && layout != Layouts.VARIABLE32 && layout != Layouts.VARIABLE64) {
            return false;
        }
        if (array == 0
                || CArray.release(array) == 0
                || CArray.childCount(array) != 0
                || CArray.dictionary(array) != 0
                || CArray.bufferCount(array) != layout.bufferCount()) {
            return false;
        }
        long length = CArray.length(array);
        long offset = CArray.offset(array);
        long nullCount = CArray.nullCount(array);
        long buffers = CArray.buffers(array);
        if (length < Math.max(neededLength, 1)
                || length > MAX_ELEMENTS
                || offset < 0
                || offset > MAX_ELEMENTS
                || nullCount < ArrayData.UNKNOWN_NULL_COUNT
                || nullCount > length
                || buffers == 0) {
            return false;
        }
        long validity = RawMemory.getLong(buffers);
        long second = RawMemory.getLong(buffers + 8);
        if (second == 0 || (validity == 0 && nullCount > 0)) {
            return false;
        }
        int at = index * NUMBERS;
        if (!fixed) {
            long third = RawMemory.getLong(buffers + 16);
            boolean wide = layout == Layouts.VARIABLE64;
            long first = offset(second, offset, wide);
            long last = offset(second, offset + length, wide);
            if (first < 0 || first > last || (third == 0 && last > 0)) {
                return false;
            }
            numbers[at + THIRD] = third;
            numbers[at + THIRD_SIZE] = last;
        }
        numbers[at + LENGTH] = length;
        numbers[at + OFFSET] = offset;
        // "It MAY be -1 if not yet computed". Without a bitmap there is nothing to compute.
        numbers[at + NULL_COUNT] = validity == 0 ? 0 : nullCount;
        numbers[at + VALIDITY] = nullCount == 0 && !keepsValidity ? 0 : validity;
        numbers[at + SECOND] = second;
        return true;
    }

    private static long offset(long offsets, long position, boolean wide) {
        return wide ? RawMemory.getLong(offsets + (position << 3)) : RawMemory.getInt(offsets + (position << 2));
    }

    /** The array of a field that was taken. */
    @Override
    public ArrayData apply(int index) {
        ArrowType type = fields.get(index).type();
        Layout layout = type.storageType().layout();
        int at = index * NUMBERS;
        long length = numbers[at + LENGTH];
        long offset = numbers[at + OFFSET];
        long end = offset + length;
        DeviceBuffer validity = buffer(numbers[at + VALIDITY], Bits.byteSize(end));
        long second = numbers[at + SECOND];
        @Nullable DeviceBuffer[] buffers;
        if (layout.bitWidth() > 0) {
            buffers = new DeviceBuffer[] {validity, buffer(second, Bits.byteSize(end * layout.bitWidth()))};
        } else {
            buffers = new DeviceBuffer[] {
                validity,
                buffer(second, (end + 1) * (layout == Layouts.VARIABLE64 ? Long.BYTES : Integer.BYTES)),
                buffer(numbers[at + THIRD], numbers[at + THIRD_SIZE])
            };
        }
        return new ArrayData(type, Device.CPU, length, offset, numbers[at + NULL_COUNT], buffers, NO_CHILDREN, null);
    }

    private @Nullable DeviceBuffer buffer(long address, long byteSize) {
        return address == 0 ? null : DeviceBuffer.ofAddress(Device.CPU, address, byteSize, owner);
    }
}
