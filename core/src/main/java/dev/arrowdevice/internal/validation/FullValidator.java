package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks every value of an array whose structure is valid and whose memory the host can read. */
public final class FullValidator {
    private final ArrayData array;
    private final @Nullable HostMemory validity;
    private final long from;
    private final long end;

    private FullValidator(ArrayData array) {
        this.array = array;
        DeviceBuffer bitmap = array.getValidity();
        this.validity = bitmap == null ? null : bitmap.memory();
        this.from = array.getOffset();
        this.end = array.getOffset() + array.getLength();
    }

    public static void validate(ArrayData array) {
        new FullValidator(array).run();
        List<Field> fields = array.getType().storageType().children();
        for (int i = 0; i < array.getChildCount(); i++) {
            Field field = fields.get(i);
            within(array.child(i), field.name());
        }
        ArrayData dictionary = array.getDictionary();
        if (dictionary != null) {
            within(dictionary, "dictionary");
        }
    }

    private static void within(ArrayData array, String name) {
        try {
            validate(array);
        } catch (InvalidArrayException e) {
            throw Problems.within(name, e);
        }
    }

    private void run() {
        ArrowType type = array.getType().storageType();
        checkNullCount();
        switch (type.id()) {
            case UTF8:
            case LARGE_UTF8:
            case BINARY:
            case LARGE_BINARY:
                offsets(memory(2).getByteSize());
                if (type.id() == TypeId.UTF8 || type.id() == TypeId.LARGE_UTF8) {
                    text();
                }
                break;
            case MAP:
                long nullKeys = array.child(0).child(0).getNullCount();
                if (nullKeys > 0) {
                    throw new InvalidArrayException(nullKeys + " keys of the map are null");
                }
                offsets(array.child(0).getLength());
                break;
            case LIST:
            case LARGE_LIST:
                offsets(array.child(0).getLength());
                break;
            case LIST_VIEW:
            case LARGE_LIST_VIEW:
                listViews();
                break;
            case UTF8_VIEW:
            case BINARY_VIEW:
                ViewValidator.validate(array, this::isValid, type.id() == TypeId.UTF8_VIEW);
                break;
            case SPARSE_UNION:
            case DENSE_UNION:
                UnionValidator.validate(array);
                break;
            case DICTIONARY:
                indices((DictionaryType) type);
                break;
            case RUN_END_ENCODED:
                runEnds();
                break;
            default:
                ValueRanges.validate(array, this::isValid);
                break;
        }
    }

    private boolean isValid(long position) {
        return validity == null || Bits.isSet(validity, position);
    }

    private void checkNullCount() {
        long known = array.getKnownNullCount();
        if (validity != null && known != ArrayData.UNKNOWN_NULL_COUNT) {
            long nulls = array.getLength() - Bits.countSet(validity, from, array.getLength());
            if (nulls != known) {
                throw new InvalidArrayException("null_count is " + known + ", the bitmap has " + nulls + " nulls");
            }
        }
    }

    private void offsets(long limit) {
        if (array.getLength() == 0 || Offsets.ascend(memory(1), wideOffsets(), from, end, limit)) {
            return;
        }
        long before = offset(from);
        if (before < 0) {
            throw new InvalidArrayException("the offset at index 0 is " + before);
        }
        for (long i = from + 1; i <= end; i++) {
            long offset = offset(i);
            if (offset < before || offset > limit) {
                throw new InvalidArrayException("the offset at index " + (i - from) + " is " + offset
                        + (offset < before ? ", after " + before : ", past the data's end " + limit));
            }
            before = offset;
        }
    }

    private void text() {
        HostMemory bytes = memory(2);
        if (array.getLength() == 0 || isTextAsAWhole(bytes)) {
            return;
        }
        // Something is wrong, or it lies under a null, where anything may: text by text.
        for (long i = from; i < end; i++) {
            if (isValid(i)) {
                Utf8.validate(bytes, offset(i), offset(i + 1) - offset(i), i - from);
            }
        }
    }

    /** Whether all texts, one after the other, are UTF-8, and none begins within a character: then each of them is. */
    private boolean isTextAsAWhole(HostMemory bytes) {
        long start = offset(from);
        long size = offset(end) - start;
        return Utf8.isAscii(bytes, start, size)
                || (Utf8.isWellFormed(bytes, start, size)
                        && Offsets.beginCharacters(memory(1), wideOffsets(), from, end, bytes));
    }

    private void listViews() {
        long limit = array.child(0).getLength();
        boolean wide = wideOffsets();
        HostMemory sizes = memory(2);
        for (long i = from; i < end; i++) {
            if (isValid(i)) {
                long start = offset(i);
                long size = wide ? sizes.getLong(i * 8) : sizes.getInt(i * 4);
                if (start < 0 || size < 0 || start > limit - size) {
                    throw new InvalidArrayException("the list view at index " + (i - from) + " has " + size
                            + " elements from " + start + " of a child of length " + limit);
                }
            }
        }
    }

    private void indices(DictionaryType type) {
        ArrayData dictionary = array.getDictionary();
        long limit = dictionary == null ? 0 : dictionary.getLength();
        HostMemory indices = memory(1);
        for (long i = from; i < end; i++) {
            if (isValid(i)) {
                long index = index(type.indexType().id(), indices, i);
                if (index < 0 || index >= limit) {
                    throw new InvalidArrayException("the dictionary index at index " + (i - from) + " is "
                            + (type.indexType().id() == TypeId.UINT64
                                    ? Long.toUnsignedString(index)
                                    : String.valueOf(index))
                            + ", the dictionary has " + limit + " values");
                }
            }
        }
    }

    private static long index(TypeId type, HostMemory indices, long position) {
        switch (type) {
            case INT8:
                return indices.getByte(position);
            case UINT8:
                return indices.getByte(position) & 0xFF;
            case INT16:
                return indices.getShort(position * 2);
            case UINT16:
                return indices.getShort(position * 2) & 0xFFFF;
            case INT32:
                return indices.getInt(position * 4);
            case UINT32:
                return indices.getInt(position * 4) & 0xFFFF_FFFFL;
            default:
                return indices.getLong(position * 8);
        }
    }

    private void runEnds() {
        ArrayData ends = array.child(0);
        if (ends.getNullCount() > 0) {
            throw new InvalidArrayException("the run ends have " + ends.getNullCount() + " nulls");
        }
        long before = 0;
        for (long i = 0; i < ends.getLength(); i++) {
            long runEnd = RunEnds.get(ends, i);
            if (runEnd <= before) {
                throw new InvalidArrayException("run " + i + " ends at " + runEnd + ", after " + before);
            }
            before = runEnd;
        }
    }

    private boolean wideOffsets() {
        return array.getType().storageType().layout().buffers().contains(BufferKind.OFFSETS64);
    }

    private long offset(long position) {
        HostMemory offsets = memory(1);
        return wideOffsets() ? offsets.getLong(position * 8) : offsets.getInt(position * 4);
    }

    private HostMemory memory(int index) {
        DeviceBuffer buffer = array.buffer(index);
        return buffer == null ? HostMemory.EMPTY : buffer.memory();
    }
}
