package dev.arrowdevice.builder;

import dev.arrowdevice.ArrayReader;
import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Field;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds an array of any type, value by value or in bulk, in memory that the host can write.
 *
 * <p>Primitive values have methods of their own, which neither box nor allocate; all others go through
 * {@link #append(Object)}. Nested types have further methods: {@link ListBuilder}, {@link MapBuilder},
 * {@link StructBuilder}, {@link UnionBuilder}; {@link #as} returns those. Their children are builders too, which are
 * finished and closed with the root of the tree only.
 *
 * <p>A dictionary-encoded type takes its values; each goes into the dictionary once, in the order of first sight, and
 * nulls are nulls of the indices. If the type says that the dictionary is ordered, the caller appends its values in that
 * order first, or {@linkplain #useDictionary uses} an ordered one. In a run-end encoded type a value equal to the last one
 * makes its run longer, nulls too; values are equal if the type stores them alike. More values than the indices or run
 * ends can count are an error.
 *
 * <p>{@link #finish()} moves the memory into an array and leaves the builder empty, ready for the next one. What has not
 * been moved out is freed by {@link #close()}; afterwards every call throws {@link IllegalStateException}.
 *
 * <p>A value that does not fit the type, or a null where the field is not nullable, throws
 * {@link IllegalArgumentException}, which names the column and the row (from 0), as in {@code column "price", row 3: …}.
 * A single value that fails leaves the builder as it was, also where memory was short; it may be appended again. One
 * that fails in the midst of a list, map, struct or union leaves it incomplete: {@link #finish()} will refuse it. If some
 * children have got what stands for a null and the next one fails (in a struct, fixed-size list or sparse union), the
 * builder is closed: each call then throws {@link IllegalStateException}, {@code … an append failed half-way: …}.
 *
 * <p>A builder is used by one thread at a time.
 */
public abstract class ArrayBuilder extends BulkAppends implements AutoCloseable {
    final BuildMemory memory;
    final Place place;
    private final Field field;
    private final @Nullable ArrayBuilder parent;

    ArrayBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        this.memory = memory;
        this.place = new Place(field, this, parent);
        this.field = field;
        this.parent = parent;
    }

    /** A builder of nullable values on the CPU. */
    public static ArrayBuilder of(ArrowType type) {
        return of(Field.nullable("", type));
    }

    /** A builder on the CPU. The field's name is used in messages, its nullability is enforced. */
    public static ArrayBuilder of(Field field) {
        return of(field, CpuRuntime.INSTANCE, UnaryOperator.identity());
    }

    /**
     * A builder in the memory of a runtime.
     *
     * @param runtime whose device the array will be on. Where the host can write that, it is built there; else in pinned
     *     memory, from which finishing it starts a transfer: the array has an event then
     * @param adapter given a value of a class that {@link #append(Object)} does not know, returns the same value as one
     *     that it does, or the argument
     */
    public static ArrayBuilder of(Field field, DeviceRuntime runtime, UnaryOperator<Object> adapter) {
        BuildMemory memory = new BuildMemory(runtime, adapter);
        ArrayBuilder root = Builders.of(field, memory, null);
        memory.watch(root);
        return root;
    }

    /** The name, type and nullability of what is built. */
    public Field getField() {
        return field;
    }

    /** The type of the array. */
    public final ArrowType getType() {
        return getField().type();
    }

    /** The number of elements appended; of a struct or union, of those known to be complete. */
    public abstract long getLength();

    /**
     * The number of values that are stored: of a dictionary-encoded type those in the dictionary, of a run-end encoded
     * one its runs, of any other the {@linkplain #getLength() length}.
     */
    public long getStoredLength() {
        return getLength();
    }

    /**
     * This builder as one of a nested type; of an extension, the builder of its storage.
     * @throws IllegalArgumentException if it is none of that class
     */
    public <B extends ArrayBuilder> B as(Class<B> builderClass) {
        if (!builderClass.isInstance(this)) {
            throw new IllegalArgumentException(
                    place.at("") + "the builder of " + getType() + " is no " + builderClass.getSimpleName());
        }
        return builderClass.cast(this);
    }

    /** Appends a boolean: to bool and {@code arrow.bool8}. */
    public void append(boolean value) {
        if (!appendValue(value)) {
            throw place.unfit("a boolean");
        }
    }

    /**
     * Appends an integer: to integers of any width, if it is in range; to floating point numbers, if it is exact; to
     * temporal types, as the raw number of days, months or units. Not to decimals, where it could mean the number or its
     * unscaled digits: {@link #append(Object)} takes a {@code BigDecimal}, {@link #appendUnscaled} the digits.
     */
    public void append(int value) {
        append((long) value);
    }

    /** Appends an integer, see {@link #append(int)}. */
    public void append(long value) {
        if (!appendValue(value)) {
            throw place.unfit("an integer");
        }
    }

    /**
     * Appends a floating point number: to floating point types. The nearest value of the type is stored; a finite number
     * too large for the type is an error.
     */
    public void append(float value) {
        append((double) value);
    }

    /** Appends a floating point number, see {@link #append(float)}. */
    public void append(double value) {
        if (!appendValue(value)) {
            throw place.unfit("a floating point number");
        }
    }

    /** Appends an integer from 0 to 2⁶⁴ - 1, given as the bits of a long: to integers, if it is in range. */
    public void appendUnsigned(long bits) {
        append(place.requireSigned(bits));
    }

    /** Appends a decimal as its unscaled digits: 1234 stands for 12.34 where the scale of the type is 2. */
    public void appendUnscaled(long digits) {
        throw place.unfit("a decimal");
    }

    /**
     * Appends an object, or null. Of the classes that {@link dev.arrowdevice.ArrayReader#getObject} returns for the
     * type, and also:
     *
     * <pre>
     *   integers             Byte, Short, Integer, Long and BigInteger in range
     *   float                Float, Double; integers that are exact
     *   decimal              BigDecimal and BigInteger that fit without rounding
     *   utf8                 any CharSequence without unpaired surrogates
     *   binary               byte[], ByteBuffer (its remaining bytes)
     *   timestamp with zone  Instant, OffsetDateTime, ZonedDateTime; java.time values must be exact in the type's unit
     *   interval             Period where days or months allow it
     *   list                 any Iterable, Object[], primitive arrays
     *   struct               Map from field names (a missing one is null; another one an error), Iterable by position
     *   map                  Map, Iterable of Map.Entry
     *   union                a value, for the first child that takes it, or a Map.Entry from a child's name or index
     *   arrow.uuid           UUID
     * </pre>
     */
    public final void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else if (!appendValue(value)) {
            Object adapted = memory.adapt(value);
            if (adapted == value || !appendValue(adapted)) {
                throw place.unfit("a " + value.getClass().getName());
            }
        }
    }

    /**
     * Appends a value, or null, of an array of the same type: the same that the array has. {@link #append(Object)} of
     * {@link ArrayReader#getObject} can differ: the child of a union, fields of a struct with one name, and numbers that
     * java.time can't express are lost on that way.
     *
     * @throws IllegalArgumentException if the types differ; and as {@link #append(Object)}
     */
    public final void append(ArrayReader source, long index) {
        if (!source.getType().equals(getType())) {
            throw place.fail("a value of type " + Brief.type(source.getType()) + " where " + Brief.type(getType())
                    + " is expected");
        }
        append(((ValueReader) source).exact(index));
    }

    /** Appends a null; to a union, one of its first nullable child. */
    public final void appendNull() {
        place.requireNullable();
        putNull();
    }

    /** Appends all values of an Iterable by {@link #append(Object)}; here as in arrays, those before one that fails stay. */
    public final void appendAll(Iterable<? extends @Nullable Object> values) {
        for (Object value : values) {
            append(value);
        }
    }

    /**
     * Appends a value, or null, a number of times by {@link #append(Object)}: to a run-end encoded type as one run.
     * @throws IllegalArgumentException if the count is negative; and as {@link #append(Object)}
     */
    public void appendRun(@Nullable Object value, long count) {
        if (count < 0) {
            throw place.fail("a run of " + count + " elements");
        }
        for (long i = 0; i < count; i++) {
            append(value);
        }
    }

    /**
     * Appends the value at an index of the dictionary.
     *
     * @throws IllegalArgumentException if the dictionary is not as large, or the type is not dictionary-encoded
     */
    public void appendIndex(long index) {
        throw place.unfit("an index of a dictionary");
    }

    /**
     * Uses a dictionary that exists, for this array and those that follow: a value that is not in it is an error. The
     * memory is shared.
     *
     * @throws IllegalStateException if something has been appended already
     * @throws IllegalArgumentException if the type is not dictionary-encoded, or the dictionary's type or device differs
     */
    public void useDictionary(ArrayView dictionary) {
        throw new IllegalArgumentException(place.at("") + "useDictionary: " + getType() + " has no dictionary");
    }

    /**
     * Makes room for more values of fixed width, offsets, views, type ids or indices of a dictionary. Not for bytes of
     * texts, validity bitmaps, children, values of a dictionary or runs; a struct reserves nothing.
     */
    public final void reserve(long more) {
        memory.requireOpen("reserve");
        long length = getLength();
        if (more < 0 || length > Long.MAX_VALUE / 64 - more) {
            throw new IllegalArgumentException("reserve(" + more + ") after " + length + " elements");
        }
        makeRoom(length + more);
    }

    /**
     * Moves what has been appended into an array, which the caller closes. The builder is empty afterwards. If it fails
     * the builder stays as it was. Only a lack of memory or a failing device closes it.
     *
     * @throws IllegalArgumentException if a nested value is incomplete, or fields of a struct differ in length
     * @throws IllegalStateException if the builder was closed, or is a child of another one
     */
    public final DeviceArray finish() {
        if (parent != null) {
            throw place.isChild("finish");
        }
        memory.requireOpen("finish");
        settle();
        try {
            ArrayData data = build();
            reset();
            return memory.move(data);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Frees what has not been moved out. Idempotent, never throws; does nothing on a child, which its root frees. */
    @Override
    public void close() {
        if (parent == null && !memory.isClosed()) {
            reset();
            memory.close();
        }
    }

    /** Appends an object that is not null; false, with nothing appended, if the class does not fit the type. */
    abstract boolean appendValue(Object value);

    /** The key of an object as {@link Keys} says; null if {@link #appendValue} would not take its class. */
    abstract @Nullable Object keyOf(Object value);

    /** Appends a null that the field allows. */
    abstract void putNull();

    /** Appends a valid value of no meaning: zero, or empty. */
    abstract void putEmpty();

    /** Appends something that is there only because the parent is null there: a null where that is allowed. */
    void putFiller() {
        if (field.nullable()) {
            putNull();
        } else {
            putEmpty();
        }
    }

    /** Gives the buffers of this layout room for a number of elements in all. */
    abstract void makeRoom(long elements);

    /** The number of elements, with nested values that were filled from outside; an error if one is incomplete. */
    long settle() {
        return getLength();
    }

    /** Describes the array. Only fails if memory is short. */
    abstract ArrayData build();

    /** Forgets everything appended, and the memory. */
    abstract void reset();

    /** How messages name a child of this builder. */
    String pathOf(ArrayBuilder child) {
        return place.path();
    }

    /** Which element of this builder an element of a child is for. */
    long indexOf(ArrayBuilder child, long childIndex) {
        return getLength();
    }

    /** An array without dictionary. */
    final ArrayData data(long nullCount, @Nullable DeviceBuffer[] buffers, ArrayData... children) {
        return new ArrayData(getType(), memory.device(), getLength(), 0, nullCount, buffers, children, null);
    }
}
