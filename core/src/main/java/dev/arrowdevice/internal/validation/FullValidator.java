package dev.arrowdevice.internal.validation;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.Integers;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks every value of an array whose structure is valid and whose memory the host can read. */
public final class FullValidator {
    private final ArrayData array;
    private final ArrayBuffers buffers;
    private final @Nullable HostMemory validity;
    private final long from;
    private final long end;

    private FullValidator(ArrayData array) {
        this.array = array;
        this.buffers = new ArrayBuffers(array);
        this.validity = buffers.validity();
        this.from = buffers.start();
        this.end = buffers.end();
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
        ArrowType type = buffers.type();
        checkNullCount();
        switch (type.id()) {
            case UTF8:
            case LARGE_UTF8:
            case BINARY:
            case LARGE_BINARY:
                offsets(buffers.memory(2).getByteSize());
                if (type.id() == TypeId.UTF8 || type.id() == TypeId.LARGE_UTF8) {
                    text();
                }
                break;
            case MAP:
                long nullEntries = array.child(0).getNullCount();
                if (nullEntries > 0) {
                    throw new InvalidArrayException(nullEntries + " entries of the map are null");
                }
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
                ViewValidator.validate(array, buffers, this::isValid, type.id() == TypeId.UTF8_VIEW);
                break;
            case SPARSE_UNION:
            case DENSE_UNION:
                UnionValidator.validate(array, buffers);
                break;
            case DICTIONARY:
                indices((DictionaryType) type);
                break;
            case RUN_END_ENCODED:
                runEnds();
                break;
            default:
                ValueRanges.validate(array, buffers, this::isValid);
                break;
        }
    }

    private boolean isValid(long position) {
        return Bits.isValid(validity, position);
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
        Offsets offsets = buffers.offsets();
        if (array.getLength() == 0 || offsets.ascend(from, end, limit)) {
            return;
        }
        long before = offsets.get(from);
        if (before < 0) {
            throw new InvalidArrayException("the offset at index 0 is " + before);
        }
        for (long i = from + 1; i <= end; i++) {
            long offset = offsets.get(i);
            if (offset < before || offset > limit) {
                throw new InvalidArrayException("the offset at index " + (i - from) + " is " + offset
                        + (offset < before ? ", after " + before : ", past the data's end " + limit));
            }
            before = offset;
        }
    }

    private void text() {
        HostMemory bytes = buffers.memory(2);
        Offsets offsets = buffers.offsets();
        if (array.getLength() == 0 || isTextAsAWhole(bytes, offsets)) {
            return;
        }
        // Something is wrong, or it is under a null, where anything is allowed: check text by text.
        for (long i = from; i < end; i++) {
            if (isValid(i)) {
                Utf8.validate(bytes, offsets.get(i), offsets.get(i + 1) - offsets.get(i), i - from);
            }
        }
    }

    /** Whether all texts are UTF-8: they are if all bytes together are, and no text begins within a character. */
    private boolean isTextAsAWhole(HostMemory bytes, Offsets offsets) {
        long start = offsets.get(from);
        long size = offsets.get(end) - start;
        return Utf8.isAscii(bytes, start, size)
                || (Utf8Automaton.accepts(bytes, start, size) && Utf8.beginCharacters(bytes, offsets, from, end));
    }

    /** "Every list-view value, including null values, has to guarantee" that it is within the child. */
    private void listViews() {
        long limit = array.child(0).getLength();
        Offsets starts = buffers.offsets();
        Offsets sizes = buffers.sizes();
        for (long i = from; i < end; i++) {
            long start = starts.get(i);
            long size = sizes.get(i);
            if (start < 0 || size < 0 || start > limit - size) {
                throw new InvalidArrayException("the list view at index " + (i - from) + " has " + size
                        + " elements from " + start + " of a child of length " + limit);
            }
        }
    }

    private void indices(DictionaryType type) {
        ArrayData dictionary = array.getDictionary();
        long limit = dictionary == null ? 0 : dictionary.getLength();
        TypeId indexType = type.indexType().id();
        Integers indices = buffers.integers(indexType);
        for (long i = from; i < end; i++) {
            if (isValid(i)) {
                long index = indices.get(i);
                if (index < 0 || index >= limit) {
                    throw new InvalidArrayException("the dictionary index at index " + (i - from) + " is "
                            + (indexType == TypeId.UINT64 ? Long.toUnsignedString(index) : String.valueOf(index))
                            + ", the dictionary has " + limit + " values");
                }
            }
        }
    }

    private void runEnds() {
        ArrayData ends = array.child(0);
        if (ends.getNullCount() > 0) {
            throw new InvalidArrayException("the run ends have " + ends.getNullCount() + " nulls");
        }
        Integers values = new ArrayBuffers(ends).integers(ends.getType().id());
        long before = 0;
        for (long i = 0; i < ends.getLength(); i++) {
            long runEnd = values.get(ends.getOffset() + i);
            if (runEnd <= before) {
                throw new InvalidArrayException("run " + i + " ends at " + runEnd + ", after " + before);
            }
            before = runEnd;
        }
    }
}
