package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.BufferSizes;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.validation.FullValidator;
import dev.arrowdevice.internal.validation.Problems;
import dev.arrowdevice.internal.validation.StructureValidator;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.Layout;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Wraps an {@code ArrowArray} tree as {@link ArrayData}. The interface does not pass the sizes of buffers. A size is
 * what type, length and offset need; for the data that offsets refer to, it is the last offset.
 */
public final class ArrayImporter {
    /** The highest end of an array (offset and length). Below it, sizes overflow only for values of many bytes. */
    private static final long MAX_END = Long.MAX_VALUE / 64;
    /** No producer makes more. With a larger number we would read pointers after the end of a struct's array. */
    private static final int MAX_VARIADIC = 1 << 20;

    private static final DeviceBuffer[] NO_BUFFERS = {};
    private static final ArrayData[] NO_CHILDREN = {};

    private final Device device;
    private @Nullable DeviceEvent ready;
    private final ReferenceCounted owner;
    private final Validation validation;

    private ArrayImporter(Device device, @Nullable DeviceEvent ready, ReferenceCounted owner, Validation validation) {
        this.device = device;
        this.ready = ready;
        this.owner = owner;
        this.validation = validation;
    }

    /**
     * Wraps the array of an owner.
     *
     * @param ready completes when the values are there; awaited before any of them is read
     */
    static ArrayData read(
            ImportedArray owner, ArrowType type, Device device, @Nullable DeviceEvent ready, Validation validation) {
        ArrayImporter importer = new ArrayImporter(device, ready, owner, validation);
        ArrayData data = importer.read(owner.struct(), type);
        boolean readable = importer.isThere(data.isHostReadable());
        if (validation == Validation.FULL && readable) {
            FullValidator.validate(data);
        }
        return data;
    }

    /** Returns whether the host can read something. If it can, this waits until the values are there. */
    private boolean isThere(boolean readable) {
        if (readable && ready != null) {
            ready.await();
            ready = null;
        }
        return readable;
    }

    private ArrayData read(long array, ArrowType type) {
        ArrowType storage = type.storageType();
        Layout layout = storage.layout();
        long length = CArray.length(array);
        long offset = CArray.offset(array);
        if (length < 0) {
            throw new InvalidArrayException("length is " + length);
        }
        if (offset < 0) {
            throw new InvalidArrayException("offset is " + offset);
        }
        if (length > MAX_END || offset > MAX_END - length) {
            throw new InvalidArrayException("length " + length + " and offset " + offset + " overflow");
        }
        long nullCount = nullCount(array, storage, layout, length);
        DeviceBuffer[] buffers = buffers(array, storage, layout, offset + length, length, nullCount);
        if (nullCount == ArrayData.UNKNOWN_NULL_COUNT && (!layout.hasValidity() || buffers[0] == null)) {
            nullCount = 0; // "It MAY be -1 if not yet computed". Without a bitmap there is nothing to compute.
        }
        checkChildren(array, storage);
        ArrayData dictionary = dictionary(array, storage);
        if (device.isCpu()
                && storage.id() == TypeId.STRUCT
                && storage.children().size() >= FlatFields.FEWEST) {
            return readStruct(array, type, length, offset, nullCount, buffers);
        }
        ArrayData[] children = children(array, storage);
        ArrayData data = new ArrayData(type, device, length, offset, nullCount, buffers, children, dictionary);
        if (validation != Validation.NONE) {
            StructureValidator.validate(data, isThere(data.isHostReadable()));
        }
        return data;
    }

    private static long nullCount(long array, ArrowType storage, Layout layout, long length) {
        long nullCount = CArray.nullCount(array);
        if (nullCount < ArrayData.UNKNOWN_NULL_COUNT || nullCount > length) {
            throw new InvalidArrayException("null_count is " + nullCount + " with length " + length);
        }
        if (storage.id() == TypeId.NULL) {
            return length;
        }
        return layout.hasValidity() ? nullCount : 0;
    }

    private DeviceBuffer[] buffers(
            long array, ArrowType storage, Layout layout, long end, long length, long nullCount) {
        List<BufferKind> kinds = layout.buffers();
        long given = CArray.bufferCount(array);
        int expected = kinds.size();
        int skipped = legacyValidity(storage, given, expected) ? 1 : 0;
        boolean fits = layout.variadic() ? given > expected && given <= MAX_VARIADIC : given == expected + skipped;
        if (!fits) {
            throw new InvalidArrayException("n_buffers is " + given + ", " + Brief.type(storage) + " needs "
                    + (layout.variadic() ? "at least " + (expected + 1) : String.valueOf(expected)));
        }
        if (given > 0 && CArray.buffers(array) == 0) {
            throw new InvalidArrayException("buffers is NULL with n_buffers " + given);
        }
        int variadic = layout.variadic() ? (int) given - expected - 1 : 0;
        if (expected + variadic == 0) {
            return NO_BUFFERS;
        }
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[expected + variadic];
        for (int i = 0; i < expected; i++) {
            long address = CArray.buffer(array, i + (long) skipped);
            BufferKind kind = kinds.get(i);
            if (kind == BufferKind.VALIDITY) {
                if (address == 0 && nullCount > 0) {
                    throw new InvalidArrayException("the validity bitmap is NULL with null_count " + nullCount);
                }
                buffers[i] = address == 0 || (nullCount == 0 && validation != Validation.FULL)
                        ? null
                        : buffer(address, Bits.byteSize(end));
            } else {
                long byteSize = byteSize(kind, layout, end, length == 0 || i == 0 ? null : buffers[i - 1]);
                if (address == 0 && byteSize > 0 && length > 0) {
                    throw new InvalidArrayException(
                            "the " + name(kind) + " buffer is NULL, " + byteSize + " bytes are needed");
                }
                buffers[i] = address == 0 ? null : buffer(address, byteSize);
            }
        }
        if (layout.variadic()) {
            readVariadic(array, buffers, expected, variadic);
        }
        return buffers;
    }

    /**
     * Whether there is a validity bitmap in front: unions had one before Arrow 1.0, and the null arrays of some
     * producers have one today.
     */
    private static boolean legacyValidity(ArrowType storage, long given, int expected) {
        TypeId id = storage.id();
        return given == expected + 1 && (id == TypeId.NULL || id == TypeId.DENSE_UNION || id == TypeId.SPARSE_UNION);
    }

    /** The size of a buffer in bytes, or -1 if it is only in memory that the host can't read. */
    private long byteSize(BufferKind kind, Layout layout, long end, @Nullable DeviceBuffer before) {
        if (kind == BufferKind.VARIABLE) {
            return variableSize(layout, end, before);
        }
        try {
            return BufferSizes.byteSize(kind, layout, end);
        } catch (ArithmeticException e) {
            throw new InvalidArrayException(
                    "length and offset of " + end + " values of " + layout.bitWidth() / 8 + " bytes overflow");
        }
    }

    /** The offsets of an empty array are not read: some producers pass none, or invalid pointers. */
    private long variableSize(Layout layout, long end, @Nullable DeviceBuffer offsets) {
        if (offsets == null) {
            return 0;
        }
        if (!isThere(offsets.isHostReadable())) {
            return DeviceBuffer.UNKNOWN_SIZE;
        }
        long last = new Offsets(offsets.memory(), layout.buffers().get(1) == BufferKind.OFFSETS64).get(end);
        if (last < 0) {
            throw new InvalidArrayException("the last offset is " + last);
        }
        return last;
    }

    private void readVariadic(long array, @Nullable DeviceBuffer[] buffers, int expected, int variadic) {
        long sizes = CArray.buffer(array, (long) expected + variadic);
        if (sizes == 0 && variadic > 0) {
            throw new InvalidArrayException("the sizes of " + variadic + " variadic buffers are NULL");
        }
        for (int i = 0; i < variadic; i++) {
            long size = RawMemory.getLong(sizes + 8L * i);
            long address = CArray.buffer(array, (long) expected + i);
            if (size < 0 || (address == 0 && size > 0)) {
                throw new InvalidArrayException(
                        "variadic buffer " + i + " has " + size + " bytes" + (address == 0 ? " and is NULL" : ""));
            }
            buffers[expected + i] = address == 0 ? null : buffer(address, size);
        }
    }

    private static void checkChildren(long array, ArrowType storage) {
        long given = CArray.childCount(array);
        int expected = storage.children().size();
        if (given != expected) {
            throw new InvalidArrayException("n_children is " + given + ", " + Brief.type(storage) + " has " + expected);
        }
        if (given > 0 && CArray.children(array) == 0) {
            throw new InvalidArrayException("children is NULL with n_children " + given);
        }
    }

    private ArrayData[] children(long array, ArrowType storage) {
        List<Field> fields = storage.children();
        if (fields.isEmpty()) {
            return NO_CHILDREN;
        }
        ArrayData[] children = new ArrayData[fields.size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = inner(CArray.child(array, i), fields.get(i));
        }
        return children;
    }

    /** Reads a struct in CPU memory without making objects for each field. */
    private ArrayData readStruct(
            long array, ArrowType type, long length, long offset, long nullCount, @Nullable DeviceBuffer[] buffers) {
        List<Field> fields = type.storageType().children();
        FlatFields flat = new FlatFields(fields, owner, validation == Validation.FULL);
        @Nullable ArrayData[] others = new ArrayData[fields.size()];
        long needed = validation == Validation.NONE ? 0 : offset + length;
        for (int i = 0; i < others.length; i++) {
            long child = CArray.child(array, i);
            if (!flat.take(i, child, needed)) {
                others[i] = inner(child, fields.get(i));
                if (validation != Validation.NONE) {
                    StructureValidator.requireLength(
                            fields.get(i), others[i].getLength(), offset, length, offset + length);
                }
            }
        }
        return ArrayData.ofStruct(type, device, length, offset, nullCount, buffers, others, flat);
    }

    private @Nullable ArrayData dictionary(long array, ArrowType storage) {
        long dictionary = CArray.dictionary(array);
        if (storage instanceof DictionaryType) {
            if (dictionary == 0) {
                throw new InvalidArrayException("dictionary is NULL, " + Brief.type(storage) + " needs one");
            }
            return inner(dictionary, Field.nullable("dictionary", ((DictionaryType) storage).valueType()));
        }
        if (dictionary != 0) {
            throw new InvalidArrayException("dictionary is not NULL, " + Brief.type(storage) + " has none");
        }
        return null;
    }

    private ArrayData inner(long array, Field field) {
        try {
            if (array == 0) {
                throw new InvalidArrayException("the struct is NULL");
            }
            if (CArray.release(array) == 0) {
                throw new InvalidArrayException("the struct has been released or moved");
            }
            return read(array, field.type());
        } catch (InvalidArrayException e) {
            throw Problems.within(field.name(), e);
        }
    }

    private DeviceBuffer buffer(long address, long byteSize) {
        return DeviceBuffer.ofAddress(device, address, byteSize, owner);
    }

    private static String name(BufferKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
