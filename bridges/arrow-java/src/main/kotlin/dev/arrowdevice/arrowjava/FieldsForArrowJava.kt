package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DecimalType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.DurationType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.Field
import dev.arrowdevice.FixedSizeBinaryType
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.MapType
import dev.arrowdevice.Metadata
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.vector.dictionary.Dictionary
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider
import org.apache.arrow.vector.types.DateUnit
import org.apache.arrow.vector.types.FloatingPointPrecision
import org.apache.arrow.vector.types.IntervalUnit
import org.apache.arrow.vector.types.UnionMode
import org.apache.arrow.vector.types.pojo.DictionaryEncoding
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry
import org.apache.arrow.vector.types.pojo.FieldType
import org.apache.arrow.vector.types.TimeUnit as JavaUnit
import org.apache.arrow.vector.types.pojo.ArrowType as JavaType
import org.apache.arrow.vector.types.pojo.Field as JavaField
import org.apache.arrow.vector.types.pojo.Schema as JavaSchema

/** Our fields as Arrow Java's. Each dictionary gets an id, and an empty vector in the provider. */
internal class FieldsForArrowJava(
    private val allocator: BufferAllocator,
    private val dictionaries: MapDictionaryProvider?,
) {
    private var nextId = dictionaries?.dictionaryIds?.maxOrNull()?.plus(1) ?: 0L

    fun schema(schema: Schema): JavaSchema = JavaSchema(schema.fields().map(::field), entries(schema.metadata()))

    fun field(field: Field): JavaField {
        val storage = field.type().storageType()
        val encoding = (storage as? DictionaryType)?.let { encoding(field, it) }
        val plain = plain(field, (storage as? DictionaryType)?.indexType() ?: storage)
        val type = if (encoding == null) extension(field.type(), plain) else plain
        return JavaField(
            field.name(),
            FieldType(field.nullable(), type, encoding, entries(field.wireMetadata())),
            children(storage).map(::field),
        )
    }

    /** Arrow Java has text in a map: of entries with the same key it keeps the first one, as we look one up. */
    private fun entries(metadata: Metadata): Map<String, String>? {
        if (metadata.isEmpty) return null
        val entries = LinkedHashMap<String, String>()
        metadata.entries.forEach { (key, value) -> entries.putIfAbsent(key, value) }
        return entries
    }

    private fun encoding(
        field: Field,
        type: DictionaryType,
    ): DictionaryEncoding {
        requireNotNull(dictionaries) {
            "field \"${field.name()}\" is dictionary-encoded: pass a MapDictionaryProvider, which gets its dictionary"
        }
        val index = plain(field, type.indexType()) as JavaType.Int
        val encoding = DictionaryEncoding(nextId++, type.ordered(), index)
        val values = field(Field.nullable("", type.valueType()))
        dictionaries.put(Dictionary(values.newVector(allocator), encoding))
        return encoding
    }

    /** Where no class is registered for an extension, Arrow Java knows it by the metadata. */
    private fun extension(
        type: ArrowType,
        storage: JavaType,
    ): JavaType {
        if (type !is ExtensionType) return storage
        val registered = ExtensionTypeRegistry.lookup(type.name()) ?: return storage
        return registered.deserialize(storage, type.serialized().decodeToString())
    }

    /** "Neither the 'entries' field nor the 'key' field may be nullable", and Arrow Java insists. */
    private fun children(type: ArrowType): List<Field> {
        if (type !is MapType) return type.children()
        val entries = ArrowType.struct(type.key().withNullable(false), type.value())
        return listOf(type.entries().withType(entries).withNullable(false))
    }

    @Suppress("CyclomaticComplexMethod") // One line for each type is as plain as it gets.
    private fun plain(
        field: Field,
        type: ArrowType,
    ): JavaType =
        when (type.id()) {
            TypeId.NULL -> JavaType.Null.INSTANCE
            TypeId.BOOL -> JavaType.Bool.INSTANCE
            TypeId.INT8 -> JavaType.Int(8, true)
            TypeId.UINT8 -> JavaType.Int(8, false)
            TypeId.INT16 -> JavaType.Int(16, true)
            TypeId.UINT16 -> JavaType.Int(16, false)
            TypeId.INT32 -> JavaType.Int(32, true)
            TypeId.UINT32 -> JavaType.Int(32, false)
            TypeId.INT64 -> JavaType.Int(64, true)
            TypeId.UINT64 -> JavaType.Int(64, false)
            TypeId.FLOAT16 -> JavaType.FloatingPoint(FloatingPointPrecision.HALF)
            TypeId.FLOAT32 -> JavaType.FloatingPoint(FloatingPointPrecision.SINGLE)
            TypeId.FLOAT64 -> JavaType.FloatingPoint(FloatingPointPrecision.DOUBLE)
            TypeId.DECIMAL128, TypeId.DECIMAL256 -> decimal(type as DecimalType)
            TypeId.UTF8 -> JavaType.Utf8.INSTANCE
            TypeId.LARGE_UTF8 -> JavaType.LargeUtf8.INSTANCE
            TypeId.UTF8_VIEW -> JavaType.Utf8View.INSTANCE
            TypeId.BINARY -> JavaType.Binary.INSTANCE
            TypeId.LARGE_BINARY -> JavaType.LargeBinary.INSTANCE
            TypeId.BINARY_VIEW -> JavaType.BinaryView.INSTANCE
            TypeId.FIXED_SIZE_BINARY -> bytes(field, type as FixedSizeBinaryType)
            TypeId.DATE32 -> JavaType.Date(DateUnit.DAY)
            TypeId.DATE64 -> JavaType.Date(DateUnit.MILLISECOND)
            TypeId.TIME32 -> JavaType.Time(unit((type as TimeType).unit()), 32)
            TypeId.TIME64 -> JavaType.Time(unit((type as TimeType).unit()), 64)
            TypeId.TIMESTAMP -> (type as TimestampType).let { JavaType.Timestamp(unit(it.unit()), it.timezone()) }
            TypeId.DURATION -> JavaType.Duration(unit((type as DurationType).unit()))
            TypeId.INTERVAL_MONTHS -> JavaType.Interval(IntervalUnit.YEAR_MONTH)
            TypeId.INTERVAL_DAY_TIME -> JavaType.Interval(IntervalUnit.DAY_TIME)
            TypeId.INTERVAL_MONTH_DAY_NANO -> JavaType.Interval(IntervalUnit.MONTH_DAY_NANO)
            TypeId.LIST -> JavaType.List.INSTANCE
            TypeId.LARGE_LIST -> JavaType.LargeList.INSTANCE
            TypeId.LIST_VIEW -> JavaType.ListView.INSTANCE
            TypeId.LARGE_LIST_VIEW -> JavaType.LargeListView.INSTANCE
            TypeId.FIXED_SIZE_LIST -> JavaType.FixedSizeList((type as FixedSizeListType).listSize())
            TypeId.STRUCT -> JavaType.Struct.INSTANCE
            TypeId.MAP -> JavaType.Map((type as MapType).keysSorted())
            TypeId.SPARSE_UNION -> JavaType.Union(UnionMode.Sparse, (type as UnionType).typeIds().toIntArray())
            TypeId.DENSE_UNION -> JavaType.Union(UnionMode.Dense, (type as UnionType).typeIds().toIntArray())
            TypeId.RUN_END_ENCODED -> JavaType.RunEndEncoded.INSTANCE
            else -> throw noVector(field, type)
        }

    private fun noVector(
        field: Field,
        type: ArrowType,
    ) = UnsupportedOperationException("field \"${field.name()}\": arrow-java has no vector of $type")

    /** Its vectors divide by the width. */
    private fun bytes(
        field: Field,
        type: FixedSizeBinaryType,
    ): JavaType = if (type.byteWidth() == 0) throw noVector(field, type) else JavaType.FixedSizeBinary(type.byteWidth())

    private fun decimal(type: DecimalType) = JavaType.Decimal(type.precision(), type.scale(), type.bitWidth())

    private fun unit(unit: TimeUnit) = JavaUnit.valueOf(unit.name)
}
