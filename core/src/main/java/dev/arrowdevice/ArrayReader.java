package dev.arrowdevice;

import dev.arrowdevice.internal.reading.ValueReader;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of one array. Indexes count elements from 0 and honour the array's offset. Every getter checks the
 * index. All but {@link #isNull} and {@link #getObject} also check that the value is not null.
 *
 * <p>A reader is for loops. It is valid only inside the {@link ArrayView#borrow borrow} that it came from, and only on
 * that thread. After the borrow, everything but {@link #getType} and {@link #getChildCount} throws
 * {@link IllegalStateException}, on every Java. So does a read by another thread during the borrow; where memory keeps
 * itself alive, without native access, such a read is harmless and not noticed. The getters of {@link ArrayView} read one value
 * at a time.
 *
 * <p>All getters throw {@link IndexOutOfBoundsException} outside {@code 0 … length - 1}, {@link IllegalStateException}
 * for a null value, and {@link UnsupportedOperationException} if the type has no such value. The getters of a
 * dictionary or run-end encoded array are those of its value type. An extension array is read as its storage, except by
 * {@link #getObject}.
 */
public abstract sealed class ArrayReader permits ValueReader {
    /** Readers are made by {@link ArrayView#borrow}. */
    protected ArrayReader() {}

    /** The logical type. */
    public abstract ArrowType getType();

    /** The number of elements. */
    public abstract long getLength();

    /**
     * Whether the value is null. An element of a union, run-end encoded or dictionary array refers to a value; it is
     * null if that value is null.
     */
    public abstract boolean isNull(long index);

    /** The value of a bool array. */
    public abstract boolean getBoolean(long index);

    /** The value of an int8 or uint8 array (the bits of an unsigned one). */
    public abstract byte getByte(long index);

    /** The value of an array of integers of at most 16 bits; the bits of a uint16 one. */
    public abstract short getShort(long index);

    /**
     * The value of an array of integers of at most 32 bits; the bits of a uint32 one. Also of date32 (days), time32
     * (units), month intervals (months) and decimal32 (unscaled).
     */
    public abstract int getInt(long index);

    /**
     * The value of an array of integers; the bits of a uint64 one. Also of all that {@link #getInt} reads, and of date64
     * (milliseconds), time64, timestamp and duration (units) and decimal64 (unscaled).
     */
    public abstract long getLong(long index);

    /** The value of a float16 or float32 array. */
    public abstract float getFloat(long index);

    /** The value of a floating point array. */
    public abstract double getDouble(long index);

    /** The value of a decimal array, with the scale of its type. */
    public abstract BigDecimal getDecimal(long index);

    /** The value of a utf8 array of any variant. Malformed bytes are replaced by U+FFFD. */
    public abstract String getString(long index);

    /** The bytes of a value of a binary, utf8 or fixed-size binary array; a new array at each call. */
    public abstract byte[] getBytes(long index);

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
     *   union                the value of the child that {@link #unionChild} returns
     *   dictionary, run-end  the value that is referred to
     *   arrow.uuid           UUID
     *   arrow.bool8          Boolean
     *   other extensions     the storage's value
     * </pre>
     *
     * <p>A value that is valid and that these classes can't hold, such as a timestamp in seconds outside the range of
     * {@code java.time}, is an {@link IllegalStateException}; {@link #getLong} reads its raw number. To put values into a
     * builder of the same type, {@link dev.arrowdevice.builder.ArrayBuilder#append(ArrayReader, long)} takes them as they
     * are, also the child of a union and such numbers.
     */
    public abstract @Nullable Object getObject(long index);

    /** The number of children. */
    public abstract int getChildCount();

    /**
     * The reader of a child. The child of a struct or a sparse union is aligned with this reader: the same index is the
     * same row. The child of a list array has the elements of all lists; {@link #listStart} says where each list
     * begins. The child of a dense union or a run-end encoded array is the whole child.
     *
     * @throws IndexOutOfBoundsException if there is no such child
     */
    public abstract ArrayReader child(int index);

    /** The index in {@code child(0)} of the first element of a list (of the first entry of a map). */
    public abstract long listStart(long index);

    /** The number of elements of a list (of entries of a map). */
    public abstract long listSize(long index);

    /** The index of the child that the value of a union comes from. */
    public abstract int unionChild(long index);

    /**
     * The index of the value of a union in its child: the offset of a dense union; in a sparse union the index itself.
     */
    public abstract long unionOffset(long index);

    /**
     * The run that an element of a run-end encoded array is in: the index, in the children, of the run's end and value.
     * In a slice, the first run is not 0 if earlier ones are left out.
     */
    public abstract long runIndex(long index);

    /** The index into the dictionary of a dictionary-encoded array. */
    public abstract long dictionaryIndex(long index);

    /** The reader of the dictionary. */
    public abstract ArrayReader getDictionary();
}
