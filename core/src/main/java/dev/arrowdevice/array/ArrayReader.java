package dev.arrowdevice.array;

import dev.arrowdevice.memory.HostMemory;
import dev.arrowdevice.type.ArrowType;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of one array. Indexes count elements from 0 and honour the array's offset; every getter checks the
 * index and, but for {@link #isNull} and {@link #getObject}, that the value is not null.
 *
 * <p>A reader is for loops: it is valid only inside the {@link ArrayView#borrow borrow} that gave it, on that thread;
 * {@link IllegalStateException} elsewhere. The getters of {@link ArrayView} do the same one value at a time.
 *
 * <p>Common to all getters: {@link IndexOutOfBoundsException} outside {@code 0 … length - 1},
 * {@link IllegalStateException} for a null value, {@link UnsupportedOperationException} where the type has no such
 * value. Dictionary and run-end encoded arrays are read through: their getters are those of the value type. Extension
 * arrays are read as their storage, except by {@link #getObject}.
 */
public abstract class ArrayReader {
    private final ArrowType type;
    private final long length;
    private final long offset;
    private final @Nullable HostMemory validity;

    ArrayReader(ArrayData data, @Nullable HostMemory validity) {
        this.type = data.type();
        this.length = data.length();
        this.offset = data.offset();
        this.validity = validity;
    }

    /** The logical type. */
    public final ArrowType type() {
        return type;
    }

    /** The number of elements. */
    public final long length() {
        return length;
    }

    /** Whether the value is null; for unions, run-end encoded and dictionary arrays, whether the value behind it is. */
    public boolean isNull(long index) {
        long position = position(index);
        return validity != null && !Bits.isSet(validity, position);
    }

    /** The value of a bool array. */
    public boolean getBoolean(long index) {
        throw unsupported("boolean");
    }

    /** The value of an int8 or uint8 array (the bits of an unsigned one). */
    public byte getByte(long index) {
        throw unsupported("byte");
    }

    /** The value of an array of integers of at most 16 bits; the bits of a uint16 one. */
    public short getShort(long index) {
        throw unsupported("short");
    }

    /**
     * The value of an array of integers of at most 32 bits; the bits of a uint32 one. Also of date32 (days), time32
     * (units), month intervals (months) and decimal32 (unscaled).
     */
    public int getInt(long index) {
        throw unsupported("int");
    }

    /**
     * The value of an array of integers; the bits of a uint64 one. Also of all that {@link #getInt} reads, and of date64
     * (milliseconds), time64, timestamp and duration (units) and decimal64 (unscaled).
     */
    public long getLong(long index) {
        throw unsupported("long");
    }

    /** The value of a float16 or float32 array. */
    public float getFloat(long index) {
        throw unsupported("float");
    }

    /** The value of a floating point array. */
    public double getDouble(long index) {
        throw unsupported("double");
    }

    /** The value of a decimal array, with the scale of its type. */
    public BigDecimal getDecimal(long index) {
        throw unsupported("decimal");
    }

    /** The value of a utf8 array of any variant. Malformed bytes are replaced by U+FFFD. */
    public String getString(long index) {
        throw unsupported("string");
    }

    /** The bytes of a value of a binary, utf8 or fixed-size binary array; a new array at each call. */
    public byte[] getBytes(long index) {
        throw unsupported("bytes");
    }

    /**
     * The value as an object, null if it is null:
     *
     * <pre>
     *   bool                 Boolean
     *   int8 … int64         Byte, Short, Integer, Long
     *   uint8 … uint64       Short, Integer, Long, BigInteger
     *   float16, 32, 64      Float, Float, Double
     *   decimal              BigDecimal
     *   utf8, binary         String, byte[]
     *   date, time           LocalDate, LocalTime
     *   timestamp            LocalDateTime without a zone, Instant with one
     *   duration             Duration
     *   interval             Period, DayTimeInterval, MonthDayNanoInterval
     *   list (all variants)  List
     *   struct               Map of the fields' names, in order; of fields with one name, the last
     *   map                  List of Map.Entry, in order, duplicate keys kept
     *   union                the value of the selected child
     *   dictionary, run-end  the value behind it
     *   arrow.uuid           UUID
     *   arrow.bool8          Boolean
     *   other extensions     the storage's value
     * </pre>
     */
    public final @Nullable Object getObject(long index) {
        return isNull(index) ? null : valueAt(index);
    }

    /** {@link #getObject} for showing: of each list no more than its first elements. */
    @Nullable
    Object preview(long index, int maxElements) {
        return getObject(index);
    }

    /** The number of children. */
    public int childCount() {
        return 0;
    }

    /**
     * The reader of a child. For a struct and a sparse union it is aligned with this reader: the same index is the same
     * row. For lists it holds the elements of all lists, addressed by {@link #listStart}; for dense unions, run-end
     * encoded arrays, the whole child.
     *
     * @throws IndexOutOfBoundsException if there is no such child
     */
    public ArrayReader child(int index) {
        throw new IndexOutOfBoundsException("child " + index + " of " + type + ", which has none");
    }

    /** The index in {@code child(0)} of the first element of a list (of the first entry of a map). */
    public long listStart(long index) {
        throw unsupported("list");
    }

    /** The number of elements of a list (of entries of a map). */
    public long listSize(long index) {
        throw unsupported("list");
    }

    /** The number of the child that a union's value comes from. */
    public int unionChild(long index) {
        throw unsupported("union");
    }

    /** The index in a dictionary-encoded array's dictionary. */
    public long dictionaryIndex(long index) {
        throw unsupported("dictionary index");
    }

    /** The reader of the dictionary. */
    public ArrayReader dictionary() {
        throw unsupported("dictionary");
    }

    /** False if it is known that no value is null. */
    boolean mayHaveNulls() {
        return validity != null;
    }

    /** Writes whether each value of a range within bounds is not null; gives the number of nulls. */
    int getValidity(long index, boolean[] target, int from, int count) {
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
    abstract Object valueAt(long index);

    /** Whether two values, both known not to be null, of arrays of the same type are the same. */
    boolean sameValue(long index, ArrayReader other, long otherIndex) {
        return valueAt(index).equals(other.valueAt(otherIndex));
    }

    /** Whether two values of arrays of the same type are the same; null is the same as null. */
    final boolean same(long index, ArrayReader other, long otherIndex) {
        boolean isNull = isNull(index);
        if (isNull || other.isNull(otherIndex)) {
            return isNull == other.isNull(otherIndex);
        }
        return sameValue(index, other, otherIndex);
    }

    /** The position in the buffers of an element. */
    final long position(long index) {
        return offset + Indexes.check(index, length);
    }

    /** The position in the buffers of an element that must not be null. */
    final long valuePosition(long index) {
        long position = position(index);
        if (validity != null && !Bits.isSet(validity, position)) {
            throw nullValue(index);
        }
        return position;
    }

    /** The index of an element that must not be null, for memory that begins with the first element. */
    final long valueIndex(long index) {
        valuePosition(index);
        return index;
    }

    /** The number of elements in the buffers before the first one. */
    final long offset() {
        return offset;
    }

    final IllegalStateException nullValue(long index) {
        return new IllegalStateException("the value at index " + index + " is null; ask isNull first");
    }

    private UnsupportedOperationException unsupported(String what) {
        return new UnsupportedOperationException("an array of type " + type + " has no " + what + " values");
    }
}
