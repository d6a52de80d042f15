package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.Field
import dev.arrowdevice.MapType
import dev.arrowdevice.Metadata
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.types.DateUnit
import org.apache.arrow.vector.types.FloatingPointPrecision
import org.apache.arrow.vector.types.IntervalUnit
import org.apache.arrow.vector.types.Types
import org.apache.arrow.vector.types.UnionMode
import org.apache.arrow.vector.types.pojo.DictionaryEncoding
import org.apache.arrow.vector.types.TimeUnit as JavaUnit
import org.apache.arrow.vector.types.pojo.ArrowType as JavaType
import org.apache.arrow.vector.types.pojo.Field as JavaField
import org.apache.arrow.vector.types.pojo.Schema as JavaSchema

/** Arrow Java's fields as ours. Theirs say of a dictionary only its id; its values are those of a vector. */
internal class FieldsOfArrowJava(
    private val dictionaries: DictionaryProvider?,
) {
    fun schema(schema: JavaSchema): Schema = Schema(schema.fields.map(::field), metadata(schema.customMetadata))

    /** The metadata names the extension, whether or not its class is registered. */
    fun field(field: JavaField): Field =
        Field.fromWire(field.name.orEmpty(), storage(field), field.isNullable, metadata(field.metadata))

    private fun metadata(entries: Map<String, String>?): Metadata =
        if (entries.isNullOrEmpty()) {
            Metadata.EMPTY
        } else {
            Metadata.of(*entries.flatMap { listOf(it.key, it.value) }.toTypedArray())
        }

    private fun storage(field: JavaField): ArrowType {
        val type = field.type
        val storage = if (type is JavaType.ExtensionType) type.storageType() else type
        val encoding = field.dictionary ?: return plain(storage, field)
        val values = field(dictionaries.vector(encoding, field).field).type()
        return DictionaryType(plain(encoding.indexType, field), values, encoding.isOrdered)
    }

    @Suppress("CyclomaticComplexMethod") // One line for each type is as plain as it gets.
    private fun plain(
        type: JavaType,
        field: JavaField,
    ): ArrowType =
        when (type) {
            is JavaType.Null -> ArrowType.NULL
            is JavaType.Bool -> ArrowType.BOOL
            is JavaType.Int -> integer(type)
            is JavaType.FloatingPoint -> floatingPoint(type)
            is JavaType.Decimal -> decimal(type)
            is JavaType.Utf8 -> ArrowType.UTF8
            is JavaType.LargeUtf8 -> ArrowType.LARGE_UTF8
            is JavaType.Utf8View -> ArrowType.UTF8_VIEW
            is JavaType.Binary -> ArrowType.BINARY
            is JavaType.LargeBinary -> ArrowType.LARGE_BINARY
            is JavaType.BinaryView -> ArrowType.BINARY_VIEW
            is JavaType.FixedSizeBinary -> ArrowType.fixedSizeBinary(type.byteWidth)
            is JavaType.Date -> if (type.unit == DateUnit.DAY) ArrowType.DATE32 else ArrowType.DATE64
            is JavaType.Time -> TimeType(if (type.bitWidth == 32) TypeId.TIME32 else TypeId.TIME64, unit(type.unit))
            is JavaType.Timestamp -> ArrowType.timestamp(unit(type.unit), type.timezone)
            is JavaType.Duration -> ArrowType.duration(unit(type.unit))
            is JavaType.Interval -> interval(type)
            is JavaType.List -> ArrowType.list(child(field))
            is JavaType.LargeList -> ArrowType.largeList(child(field))
            is JavaType.ListView -> ArrowType.listView(child(field))
            is JavaType.LargeListView -> ArrowType.largeListView(child(field))
            is JavaType.FixedSizeList -> ArrowType.fixedSizeList(child(field), type.listSize)
            is JavaType.Struct -> ArrowType.struct(field.children.map(::field))
            is JavaType.Map -> MapType(child(field), type.keysSorted)
            is JavaType.Union -> union(type, field)
            is JavaType.RunEndEncoded -> runs(field)
            else -> throw UnsupportedOperationException("field \"${field.name}\": arrow-device has no type for $type")
        }

    private fun child(field: JavaField): Field = field(field.children.single())

    private fun integer(type: JavaType.Int): ArrowType =
        when (type.bitWidth) {
            8 -> if (type.isSigned) ArrowType.INT8 else ArrowType.UINT8
            16 -> if (type.isSigned) ArrowType.INT16 else ArrowType.UINT16
            32 -> if (type.isSigned) ArrowType.INT32 else ArrowType.UINT32
            else -> if (type.isSigned) ArrowType.INT64 else ArrowType.UINT64
        }

    private fun floatingPoint(type: JavaType.FloatingPoint): ArrowType =
        when (type.precision) {
            FloatingPointPrecision.HALF -> ArrowType.FLOAT16
            FloatingPointPrecision.SINGLE -> ArrowType.FLOAT32
            else -> ArrowType.FLOAT64
        }

    private fun decimal(type: JavaType.Decimal): ArrowType =
        when (type.bitWidth) {
            32 -> ArrowType.decimal32(type.precision, type.scale)
            64 -> ArrowType.decimal64(type.precision, type.scale)
            128 -> ArrowType.decimal128(type.precision, type.scale)
            else -> ArrowType.decimal256(type.precision, type.scale)
        }

    private fun interval(type: JavaType.Interval): ArrowType =
        when (type.unit) {
            IntervalUnit.YEAR_MONTH -> ArrowType.INTERVAL_MONTHS
            IntervalUnit.DAY_TIME -> ArrowType.INTERVAL_DAY_TIME
            else -> ArrowType.INTERVAL_MONTH_DAY_NANO
        }

    private fun unit(unit: JavaUnit): TimeUnit = TimeUnit.valueOf(unit.name)

    /** Where a field has no type ids of its own, a vector numbers its children itself, in one of two ways. */
    private fun union(
        type: JavaType.Union,
        field: JavaField,
    ): ArrowType {
        val children = field.children.map(::field)
        if (type.mode == UnionMode.Dense) {
            return ArrowType.denseUnion(type.typeIds?.asList() ?: children.indices.toList(), children)
        }
        val typeIds = type.typeIds?.asList() ?: field.children.map { minorTypeId(it.type) }
        return ArrowType.sparseUnion(typeIds, children)
    }

    /** Arrow Java's own fields of run ends are nullable at times; run ends never are null. */
    private fun runs(field: JavaField): ArrowType {
        val (runEnds, values) = field.children.map(::field)
        return RunEndEncodedType(runEnds.withNullable(false), values)
    }
}

/** The type id that a vector of a sparse union uses for a child of this type, unless its field says otherwise. */
internal fun minorTypeId(type: JavaType): Int = Types.getMinorTypeForArrowType(type).ordinal

/** The vector with the values of a dictionary. */
internal fun DictionaryProvider?.vector(
    encoding: DictionaryEncoding,
    field: JavaField,
): FieldVector {
    requireNotNull(this) { "field \"${field.name}\" is dictionary-encoded: pass the provider of its dictionary" }
    val dictionary = lookup(encoding.id)
    requireNotNull(dictionary) { "field \"${field.name}\": the provider has no dictionary of the id ${encoding.id}" }
    return dictionary.vector
}
