package dev.arrowdevice;

import dev.arrowdevice.spi.Layout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A type of the Arrow columnar format. Types are immutable. Two types are equal if all their parts are equal, including
 * the names, nullability and metadata of their children.
 *
 * <p>The factories throw {@link InvalidSchemaException} for a type that the format does not allow.
 */
// No default methods. With one, initialising an implementing class would initialise this interface, which initialises
// PrimitiveType: a deadlock if two threads begin at opposite ends.
public sealed interface ArrowType
        permits PrimitiveType,
                DecimalType,
                FixedSizeBinaryType,
                TimeType,
                TimestampType,
                DurationType,
                ListType,
                FixedSizeListType,
                StructType,
                MapType,
                UnionType,
                RunEndEncodedType,
                DictionaryType,
                ExtensionType {

    ArrowType NULL = new PrimitiveType(TypeId.NULL);
    ArrowType BOOL = new PrimitiveType(TypeId.BOOL);
    ArrowType INT8 = new PrimitiveType(TypeId.INT8);
    ArrowType UINT8 = new PrimitiveType(TypeId.UINT8);
    ArrowType INT16 = new PrimitiveType(TypeId.INT16);
    ArrowType UINT16 = new PrimitiveType(TypeId.UINT16);
    ArrowType INT32 = new PrimitiveType(TypeId.INT32);
    ArrowType UINT32 = new PrimitiveType(TypeId.UINT32);
    ArrowType INT64 = new PrimitiveType(TypeId.INT64);
    ArrowType UINT64 = new PrimitiveType(TypeId.UINT64);
    ArrowType FLOAT16 = new PrimitiveType(TypeId.FLOAT16);
    ArrowType FLOAT32 = new PrimitiveType(TypeId.FLOAT32);
    ArrowType FLOAT64 = new PrimitiveType(TypeId.FLOAT64);
    ArrowType UTF8 = new PrimitiveType(TypeId.UTF8);
    ArrowType LARGE_UTF8 = new PrimitiveType(TypeId.LARGE_UTF8);
    ArrowType UTF8_VIEW = new PrimitiveType(TypeId.UTF8_VIEW);
    ArrowType BINARY = new PrimitiveType(TypeId.BINARY);
    ArrowType LARGE_BINARY = new PrimitiveType(TypeId.LARGE_BINARY);
    ArrowType BINARY_VIEW = new PrimitiveType(TypeId.BINARY_VIEW);
    /** Days since 1970-01-01, 32 bits. */
    ArrowType DATE32 = new PrimitiveType(TypeId.DATE32);
    /** Milliseconds since 1970-01-01, 64 bits. The specification asks for whole days. */
    ArrowType DATE64 = new PrimitiveType(TypeId.DATE64);
    /** Whole months, 32 bits. */
    ArrowType INTERVAL_MONTHS = new PrimitiveType(TypeId.INTERVAL_MONTHS);
    /** Days and milliseconds, 32 bits each. */
    ArrowType INTERVAL_DAY_TIME = new PrimitiveType(TypeId.INTERVAL_DAY_TIME);
    /** Months and days, 32 bits each, and nanoseconds, 64 bits. */
    ArrowType INTERVAL_MONTH_DAY_NANO = new PrimitiveType(TypeId.INTERVAL_MONTH_DAY_NANO);

    /** The kind of this type. */
    TypeId id();

    /** The fields of the child arrays, in order; empty for flat types. The values of a dictionary are not a child. */
    List<Field> children();

    /** This type, or the storage type of an extension. */
    ArrowType storageType();

    /** The buffers of an array of this type. */
    Layout layout();

    /** The type as Arrow libraries print it, e.g. {@code list<item: int32>}. */
    @Override
    String toString();

    /** A decimal of 32 bits: 1 to 9 digits, {@code scale} of them (possibly negative) after the decimal point. */
    static DecimalType decimal32(int precision, int scale) {
        return new DecimalType(TypeId.DECIMAL32, precision, scale);
    }

    /** A decimal of 64 bits: 1 to 18 digits, {@code scale} of them (possibly negative) after the decimal point. */
    static DecimalType decimal64(int precision, int scale) {
        return new DecimalType(TypeId.DECIMAL64, precision, scale);
    }

    /** A decimal of 128 bits: 1 to 38 digits, {@code scale} of them (possibly negative) after the decimal point. */
    static DecimalType decimal128(int precision, int scale) {
        return new DecimalType(TypeId.DECIMAL128, precision, scale);
    }

    /** A decimal of 256 bits: 1 to 76 digits, {@code scale} of them (possibly negative) after the decimal point. */
    static DecimalType decimal256(int precision, int scale) {
        return new DecimalType(TypeId.DECIMAL256, precision, scale);
    }

    /** Values of {@code byteWidth} bytes each. */
    static FixedSizeBinaryType fixedSizeBinary(int byteWidth) {
        return new FixedSizeBinaryType(byteWidth);
    }

    /** Time since midnight in 32 bits: seconds or milliseconds. */
    static TimeType time32(TimeUnit unit) {
        return new TimeType(TypeId.TIME32, unit);
    }

    /** Time since midnight in 64 bits: microseconds or nanoseconds. */
    static TimeType time64(TimeUnit unit) {
        return new TimeType(TypeId.TIME64, unit);
    }

    /** A timestamp without a time zone: a wall clock reading. */
    static TimestampType timestamp(TimeUnit unit) {
        return new TimestampType(unit, null);
    }

    /** An instant, shown in {@code timezone}; without a time zone (null or empty) a wall clock reading. */
    static TimestampType timestamp(TimeUnit unit, @Nullable String timezone) {
        return new TimestampType(unit, timezone);
    }

    /** A length of time in 64 bits. */
    static DurationType duration(TimeUnit unit) {
        return new DurationType(unit);
    }

    /** Lists with 32-bit offsets. */
    static ListType list(Field element) {
        return new ListType(TypeId.LIST, element);
    }

    /** Lists with 32-bit offsets of nullable elements, in a child named {@code item}. */
    static ListType list(ArrowType element) {
        return list(Field.nullable(Field.LIST_ELEMENT_NAME, element));
    }

    /** Lists with 64-bit offsets. */
    static ListType largeList(Field element) {
        return new ListType(TypeId.LARGE_LIST, element);
    }

    /** Lists with 64-bit offsets of nullable elements, in a child named {@code item}. */
    static ListType largeList(ArrowType element) {
        return largeList(Field.nullable(Field.LIST_ELEMENT_NAME, element));
    }

    /** Lists with 32-bit offsets and sizes. */
    static ListType listView(Field element) {
        return new ListType(TypeId.LIST_VIEW, element);
    }

    /** Lists with 32-bit offsets and sizes of nullable elements, in a child named {@code item}. */
    static ListType listView(ArrowType element) {
        return listView(Field.nullable(Field.LIST_ELEMENT_NAME, element));
    }

    /** Lists with 64-bit offsets and sizes. */
    static ListType largeListView(Field element) {
        return new ListType(TypeId.LARGE_LIST_VIEW, element);
    }

    /** Lists with 64-bit offsets and sizes of nullable elements, in a child named {@code item}. */
    static ListType largeListView(ArrowType element) {
        return largeListView(Field.nullable(Field.LIST_ELEMENT_NAME, element));
    }

    /** Lists of {@code listSize} elements each. */
    static FixedSizeListType fixedSizeList(Field element, int listSize) {
        return new FixedSizeListType(element, listSize);
    }

    /** Lists of {@code listSize} nullable elements each, in a child named {@code item}. */
    static FixedSizeListType fixedSizeList(ArrowType element, int listSize) {
        return fixedSizeList(Field.nullable(Field.LIST_ELEMENT_NAME, element), listSize);
    }

    /** A row of fields. */
    static StructType struct(Field... fields) {
        return struct(Arrays.asList(fields));
    }

    /** A row of fields. */
    static StructType struct(List<Field> fields) {
        return new StructType(fields);
    }

    /** A map from {@code key} (never null) to {@code value} (nullable), keys in no order. */
    static MapType map(ArrowType key, ArrowType value) {
        return map(Field.notNull("key", key), Field.nullable("value", value), false);
    }

    /**
     * A map from {@code key} to {@code value}.
     *
     * @param keysSorted whether the keys within each map are in order
     * @throws InvalidSchemaException when the key field is nullable
     */
    static MapType map(Field key, Field value, boolean keysSorted) {
        if (key.nullable()) {
            throw new InvalidSchemaException("the key field of a map cannot be nullable: " + key);
        }
        return new MapType(Field.notNull("entries", struct(key, value)), keysSorted);
    }

    /** A union whose children are all as long as itself. */
    static UnionType sparseUnion(List<Integer> typeIds, List<Field> fields) {
        return new UnionType(TypeId.SPARSE_UNION, typeIds, fields);
    }

    /** A union in which each child has only the values that select it. */
    static UnionType denseUnion(List<Integer> typeIds, List<Field> fields) {
        return new UnionType(TypeId.DENSE_UNION, typeIds, fields);
    }

    /** Runs of equal values (nullable); {@code runEnds} is int16, int32 or int64. */
    static RunEndEncodedType runEndEncoded(ArrowType runEnds, ArrowType values) {
        return new RunEndEncodedType(Field.notNull("run_ends", runEnds), Field.nullable("values", values));
    }

    /**
     * Values that are kept once, in a dictionary of no order, and referred to by an index.
     *
     * @param index any integer type
     */
    static DictionaryType dictionary(ArrowType index, ArrowType value) {
        return dictionary(index, value, false);
    }

    /**
     * Values that are kept once, in a dictionary, and referred to by an index.
     *
     * @param index any integer type
     * @param ordered whether the order of the indices is the order of the values
     */
    static DictionaryType dictionary(ArrowType index, ArrowType value, boolean ordered) {
        return new DictionaryType(index, value, ordered);
    }

    /**
     * The extension {@code name} over {@code storage}. For a known name this returns the class of that extension,
     * checked.
     *
     * @param metadata the extension's parameters as it serialises them; copied
     * @throws InvalidSchemaException when a known extension does not allow this storage or these parameters
     */
    static ExtensionType extension(String name, ArrowType storage, byte[] metadata) {
        return ExtensionType.of(name, storage, metadata);
    }

    /** {@code arrow.uuid}: 16 bytes, big-endian as RFC 9562 writes them. */
    static ExtensionType uuid() {
        return extension(ExtensionType.UUID, fixedSizeBinary(16), new byte[0]);
    }

    /** {@code arrow.bool8}: a boolean in one byte, 0 = false, anything else = true. */
    static ExtensionType bool8() {
        return extension(ExtensionType.BOOL8, INT8, new byte[0]);
    }

    /** {@code arrow.json} over {@link #UTF8}: text that is JSON (RFC 8259). */
    static ExtensionType json() {
        return json(UTF8);
    }

    /** {@code arrow.json} over utf8, large utf8 or utf8 view. */
    static ExtensionType json(ArrowType storage) {
        return extension(ExtensionType.JSON, storage, new byte[0]);
    }

    /** {@code arrow.fixed_shape_tensor} of nullable elements, its dimensions unnamed and stored in their order. */
    static FixedShapeTensor fixedShapeTensor(ArrowType element, List<Integer> shape) {
        return FixedShapeTensor.of(element, shape, List.of(), List.of());
    }

    /**
     * {@code arrow.fixed_shape_tensor}.
     *
     * @param shape the physical shape, in the order in which elements are stored
     * @param dimNames names of the physical dimensions; empty = unnamed
     * @param permutation which physical dimension each logical one is; empty = the same order
     */
    static FixedShapeTensor fixedShapeTensor(
            ArrowType element, List<Integer> shape, List<String> dimNames, List<Integer> permutation) {
        return FixedShapeTensor.of(element, shape, dimNames, permutation);
    }
}
