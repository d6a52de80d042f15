package dev.arrowdevice.internal.reading;

import dev.arrowdevice.ArrayReader;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all readers: bounds, offset and validity. A subclass has the getters for the values of its type.
 */
public abstract non-sealed class ValueReader extends ArrayReader {
    private final ArrowType type;
    /** 0 when the borrow has ended: then every index is out of bounds, so reads in a loop need no other check. */
    private long length;

    private boolean ended;
    private @Nullable String field;
    private final long offset;
    private final @Nullable HostMemory validity;

    protected ValueReader(ArrayData data, @Nullable HostMemory validity) {
        this.type = data.getType();
        this.length = data.getLength();
        this.offset = data.getOffset();
        this.validity = validity;
    }

    @Override
    public final ArrowType getType() {
        return type;
    }

    @Override
    public final long getLength() {
        long known = length;
        if (known == 0 && ended) {
            throw endedBorrow("getLength");
        }
        return known;
    }

    /** Names the field that this reads, for the messages of exceptions. Called once. */
    public final ValueReader named(@Nullable String name) {
        field = name;
        return this;
    }

    /** Ends the borrow: from now on every read throws. */
    public final void end() {
        length = 0;
        ended = true;
        endParts();
    }

    /** Ends the readers that this one consists of. */
    void endParts() {}

    @Override
    public boolean isNull(long index) {
        return !Bits.isValid(validity, position(index));
    }

    @Override
    public boolean getBoolean(long index) {
        throw noValues("boolean");
    }

    @Override
    public byte getByte(long index) {
        throw noValues("byte");
    }

    @Override
    public short getShort(long index) {
        throw noValues("short");
    }

    @Override
    public int getInt(long index) {
        throw noValues("int");
    }

    @Override
    public long getLong(long index) {
        throw noValues("long");
    }

    @Override
    public float getFloat(long index) {
        throw noValues("float");
    }

    @Override
    public double getDouble(long index) {
        throw noValues("double");
    }

    @Override
    public BigDecimal getDecimal(long index) {
        throw noValues("decimal");
    }

    @Override
    public String getString(long index) {
        throw noValues("string");
    }

    @Override
    public byte[] getBytes(long index) {
        throw noValues("bytes");
    }

    @Override
    public final @Nullable Object getObject(long index) {
        return isNull(index) ? null : valueAt(index);
    }

    @Override
    public int getChildCount() {
        return 0;
    }

    @Override
    public ValueReader child(int index) {
        throw new IndexOutOfBoundsException("child " + index + " of " + Brief.type(type) + ", which has none");
    }

    @Override
    public long listStart(long index) {
        throw unsupported("list");
    }

    @Override
    public long listSize(long index) {
        throw unsupported("list");
    }

    @Override
    public int unionChild(long index) {
        throw unsupported("union");
    }

    @Override
    public long unionOffset(long index) {
        throw unsupported("union");
    }

    @Override
    public long runIndex(long index) {
        throw unsupported("run-end encoded");
    }

    @Override
    public long dictionaryIndex(long index) {
        throw unsupported("dictionary index");
    }

    @Override
    public ValueReader getDictionary() {
        throw unsupported("dictionary");
    }

    /** Reads a field of a struct that is also null where the struct is null. */
    public static ValueReader ofField(ArrayData data, ValueReader struct, ValueReader field) {
        return new EncodedReaders.StructField(data, struct, field);
    }

    /**
     * The reader of the array that contains a value, which is known not to be null, after all encodings; see
     * {@link #targetIndex}.
     */
    public ValueReader target(long index) {
        return this;
    }

    /** The index of a value, known not to be null, in its {@link #target}. */
    public long targetIndex(long index) {
        return index;
    }

    /** The index of the first null, or -1 if there is none. */
    public final long firstNull() {
        if (mayHaveNulls()) {
            for (long i = 0; i < length; i++) {
                if (isNull(i)) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** {@link #getObject} for texts: shows no more of lists and structs than the budget allows. */
    public @Nullable Object preview(long index, Preview budget) {
        return getObject(index);
    }

    /**
     * {@link #getObject} for a builder of the same type, which stores the same again: also what the object does not say,
     * such as the child of a union.
     */
    public @Nullable Object exact(long index) {
        return getObject(index);
    }

    /** Whether a value may be null; false only if it is known that none is. */
    public boolean mayHaveNulls() {
        return validity != null;
    }

    /** Writes whether each value of a range within bounds is not null, and returns the number of nulls. */
    public int getValidity(long index, boolean[] target, int from, int count) {
        if (!mayHaveNulls()) {
            Arrays.fill(target, from, from + count, true);
            return 0;
        }
        int nulls = 0;
        for (int i = 0; i < count; i++) {
            boolean isNull = isNull(index + i);
            target[from + i] = !isNull;
            nulls += isNull ? 1 : 0;
        }
        return nulls;
    }

    /** The value, known not to be null. */
    public abstract Object valueAt(long index);

    /** Whether two values, both known not to be null, of arrays of the same type are the same. */
    public boolean sameValue(long index, ValueReader other, long otherIndex) {
        return valueAt(index).equals(other.valueAt(otherIndex));
    }

    /** Whether values may need no memory, so that there may be 2⁵⁶ of them: {@link #sameRange} does not look at each. */
    public boolean isSparse() {
        return false;
    }

    /** Whether ranges of two arrays of the same type have the same values. */
    public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
        for (long i = 0; i < count; i++) {
            if (!same(index + i, other, otherIndex + i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether two values of arrays of the same type are the same. Null is the same as null. */
    public final boolean same(long index, ValueReader other, long otherIndex) {
        boolean isNull = isNull(index);
        if (isNull || other.isNull(otherIndex)) {
            return isNull == other.isNull(otherIndex);
        }
        return sameValue(index, other, otherIndex);
    }

    /** The index of an element, checked. */
    final long index(long index) {
        return Indexes.check(index, length, this);
    }

    /** The position of an element in the buffers. */
    public final long position(long index) {
        return offset + Indexes.check(index, length, this);
    }

    /** The position of an element in the buffers. The element must not be null. */
    public final long valuePosition(long index) {
        long position = position(index);
        if (!Bits.isValid(validity, position)) {
            throw nullValue(index);
        }
        return position;
    }

    /** The index of an element, for memory that begins with the first element. The element must not be null. */
    public final long valueIndex(long index) {
        valuePosition(index);
        return index;
    }

    /** The offset of the first element in the buffers, in elements. */
    public final long offset() {
        return offset;
    }

    /** The failure of a read at an index that is not within {@link #getLength}. */
    final RuntimeException outOfBounds(long index) {
        return ended
                ? endedBorrow("read")
                : new IndexOutOfBoundsException("index " + index + " of an array of length " + length + place(" in "));
    }

    private IllegalStateException endedBorrow(String operation) {
        return new IllegalStateException(
                operation + place(" of ")
                        + ": the reader's borrow has ended; read inside the block of borrow, or share() the array and close the share");
    }

    /** The name of the field, if it is known. */
    private String place(String before) {
        return field == null || field.isEmpty() ? "" : before + "field " + Brief.quoted(field);
    }

    public final IllegalStateException nullValue(long index) {
        return new IllegalStateException("the value at index " + index + place(" of ") + " is null; ask isNull first");
    }

    private UnsupportedOperationException noValues(String what) {
        return new UnsupportedOperationException(none(what) + "; " + getter() + " reads its values");
    }

    private UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException(none(what));
    }

    private String none(String what) {
        return "an array of type " + Brief.type(type) + place(", ") + (field == null || field.isEmpty() ? "" : ",")
                + " has no " + what + " values";
    }

    /** The method that reads any value of this type. */
    private String getter() {
        switch (type.storageType().id()) {
            case BOOL:
                return "getBoolean";
            case INT8:
                return "getByte";
            case INT16:
            case UINT8:
                return "getShort";
            case INT32:
            case UINT16:
                return "getInt";
            case INT64:
            case UINT32:
                return "getLong";
            case FLOAT16:
            case FLOAT32:
                return "getFloat";
            case FLOAT64:
                return "getDouble";
            case DECIMAL32:
            case DECIMAL64:
            case DECIMAL128:
            case DECIMAL256:
                return "getDecimal";
            case UTF8:
            case LARGE_UTF8:
            case UTF8_VIEW:
                return "getString";
            case BINARY:
            case LARGE_BINARY:
            case BINARY_VIEW:
            case FIXED_SIZE_BINARY:
                return "getBytes";
            default:
                return "getObject";
        }
    }
}
