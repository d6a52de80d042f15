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
 * <p>Primitive values have their own methods, which neither box nor allocate. All others go through
 * {@link #append(Object)}. Builders of nested types have further methods: {@link #as} returns a {@link ListBuilder},
 * {@link MapBuilder}, {@link StructBuilder} or {@link UnionBuilder}. Their children are builders too. Only the root of
 * the tree is finished and closed.
 *
 * <p>A builder of a dictionary-encoded type takes the values. Each goes into the dictionary once, when it is first seen.
 * Nulls are nulls of the indices. If the type says that the dictionary is ordered, the caller first appends its values
 * in that order, or {@linkplain #useDictionary uses} an ordered one. A builder of a run-end encoded type lengthens the
 * last run if the next value, or null, equals it. Two values are equal if the type stores them alike. It is an error to
 * append more values than the indices or run ends can count.
 *
 * <p>{@link #finish()} moves the memory into an array and leaves the builder empty, ready for the next one. What has not
 * been moved out is freed by {@link #close()}; afterwards every call throws {@link IllegalStateException}.
 *
 * <p>A value that does not fit the type, or a null where the field is not nullable, throws
 * {@link IllegalArgumentException}, which names the column and the row (from 0), as in {@code column "price", row 3: …}.
 * If a single value fails, even for lack of memory, the builder is as it was, and the value may be appended again. If a
 * value within a list, map, struct or union fails, the outer value is incomplete, and {@link #finish()} refuses it. A
 * null of a struct, fixed-size list or sparse union appends something to each child. If that fails half-way, the builder
 * is closed: each later call throws {@link IllegalStateException}, {@code … an append failed half-way: …}.
 *
 * <p>A builder is used by one thread at a time.
 */
public abstract class ArrayBuilder extends BulkAppends implements AutoCloseable {
    final BuildMemory memory;
    final Place place;
    private final Field field;
    private final @Nullable ArrayBuilder parent;
    boolean truncatesTimes;

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

    /** A builder on the CPU. Messages name the field. A null is refused if the field is not nullable. */
    public static ArrayBuilder of(Field field) {
        return of(field, CpuRuntime.INSTANCE, UnaryOperator.identity());
    }

    /**
     * A builder in the memory of a runtime.
     *
     * @param runtime the runtime of the array's device. If the host can write that device's memory, the array is built
     *     there. Else it is built in pinned memory, and {@link #finish()} starts a transfer; the array then has an event
     * @param adapter converts a value of a class that {@link #append(Object)} does not know to one of a class that it
     *     knows. It returns any other value as it is
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

    /** The number of elements appended; of a struct or union, the number of those that are known to be complete. */
    public abstract long getLength();

    /**
     * The number of values that are stored: the size of the dictionary, the number of runs, or for any other type the
     * {@linkplain #getLength() length}.
     */
    public long getStoredLength() {
        return getLength();
    }

    /**
     * This builder as one of a nested type. For an extension type it is the builder of the storage.
     *
     * @throws IllegalArgumentException if it is none of that class
     */
    public <B extends ArrayBuilder> B as(Class<B> builderClass) {
        if (!builderClass.isInstance(this)) {
            throw new IllegalArgumentException(
                    place.at("") + "the builder of " + getType() + " is no " + builderClass.getSimpleName());
        }
        return builderClass.cast(this);
    }

    /**
     * From now on, this builder and those below it truncate times, timestamps and durations that are finer than the unit
     * of their type, as {@code truncatedTo} of {@code java.time} does. Otherwise they refuse such values.
     */
    public final void truncateTimes() {
        truncatesTimes = true;
    }

    /** Appends a boolean: to bool and {@code arrow.bool8}. */
    public void append(boolean value) {
        if (!appendValue(value)) {
            throw place.unfit("a boolean");
        }
    }

    /**
     * Appends an integer. An integer type takes it if it is in range, a floating point type if it is exact, a temporal
     * type as the raw number of days, months or units. A decimal type refuses it, because it could mean the number or its
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
     * Appends a floating point number to a floating point type, which stores its nearest value. It is an error if a finite
     * number is too large for the type.
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
     * Appends an object, or null. The object may be of the class that {@link dev.arrowdevice.ArrayReader#getObject}
     * returns for the type, or one of these:
     *
     * <pre>
     *   integers             Byte, Short, Integer, Long and BigInteger in range
     *   float                Float, Double; integers that are exact
     *   decimal              BigDecimal and BigInteger that fit without rounding
     *   utf8                 any CharSequence without unpaired surrogates
     *   binary               byte[], ByteBuffer (its remaining bytes)
     *   timestamp with zone  Instant, OffsetDateTime, ZonedDateTime
     *   times, durations     values of java.time that are exact in the type's unit; see {@link #truncateTimes}
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
                throw place.unfitClass(value.getClass());
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

    /** Appends a null. In a union it is a null of the first nullable child. */
    public final void appendNull() {
        place.requireNullable();
        putNull();
    }

    /** Appends all values of an Iterable by {@link #append(Object)}. If one fails, those before it stay. */
    public final void appendAll(Iterable<? extends @Nullable Object> values) {
        for (Object value : values) {
            append(value);
        }
    }

    /**
     * Appends a value, or null, a number of times by {@link #append(Object)}. In a run-end encoded type it is one run.
     *
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
     * @throws IllegalArgumentException if the dictionary has no such index, or the type is not dictionary-encoded
     */
    public void appendIndex(long index) {
        throw place.unfit("an index of a dictionary");
    }

    /**
     * Uses an existing dictionary, for this array and those that follow. The array shares its memory. It is an error to
     * append a value that is not in it.
     *
     * @throws IllegalStateException if something has been appended already
     * @throws IllegalArgumentException if the type is not dictionary-encoded, or the dictionary's type or device differs
     */
    public void useDictionary(ArrayView dictionary) {
        throw new IllegalArgumentException(place.at("") + "useDictionary: " + getType() + " has no dictionary");
    }

    /**
     * Makes room for more values of fixed width, offsets, views, type ids or indices of a dictionary. It makes none for
     * bytes of texts, validity bitmaps, children, values of a dictionary or runs. A struct reserves nothing.
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
     * Moves what has been appended into an array, which the caller closes. The builder is empty afterwards. On failure
     * the builder is as it was, but a lack of memory or a failing device closes it.
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

    /** Frees what has not been moved out. Idempotent, never throws. Does nothing on a child: its root frees it. */
    @Override
    public void close() {
        if (parent == null && !memory.isClosed()) {
            reset();
            memory.close();
        }
    }

    /** Appends an object that is not null. Appends nothing and returns false if the class does not fit the type. */
    abstract boolean appendValue(Object value);

    /** The key of an object, see {@link Keys}. Null if {@link #appendValue} does not take its class. */
    abstract @Nullable Object keyOf(Object value);

    /** Appends a null that the field allows. */
    abstract void putNull();

    /** Appends a valid value without meaning: zero, or empty. */
    abstract void putEmpty();

    /** Appends what stands under a null of the parent: a null if that is allowed. */
    void putFiller() {
        if (field.nullable()) {
            putNull();
        } else {
            putEmpty();
        }
    }

    /** Makes room for a number of elements in all in the buffers of this layout. */
    abstract void makeRoom(long elements);

    /** The number of elements, including nested values that were filled through the children. Throws if one is incomplete. */
    long settle() {
        return getLength();
    }

    /** Describes the array. Fails only if memory is short. */
    abstract ArrayData build();

    /** Forgets everything appended, and the memory. */
    abstract void reset();

    /** The name of a child of this builder in messages. */
    String pathOf(ArrayBuilder child) {
        return place.path();
    }

    /** The index of the element of this builder that an element of a child belongs to. */
    long indexOf(ArrayBuilder child, long childIndex) {
        return getLength();
    }

    /** An array without dictionary. */
    final ArrayData data(long nullCount, @Nullable DeviceBuffer[] buffers, ArrayData... children) {
        return new ArrayData(getType(), memory.device(), getLength(), 0, nullCount, buffers, children, null);
    }
}
