package dev.arrowdevice.peers.arrowjava

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
import org.apache.arrow.vector.types.DateUnit
import org.apache.arrow.vector.types.FloatingPointPrecision
import org.apache.arrow.vector.types.IntervalUnit
import org.apache.arrow.vector.types.UnionMode
import org.apache.arrow.vector.types.pojo.DictionaryEncoding
import org.apache.arrow.vector.types.pojo.FieldType
import org.apache.arrow.vector.types.pojo.ArrowType as JavaType
import org.apache.arrow.vector.types.pojo.Field as JavaField
import org.apache.arrow.vector.types.pojo.Schema as JavaSchema

/**
 * The fields of Arrow Java that ours must arrive as, and the other way round: written down anew, so that no code under
 * test takes part. Extensions are their storage with two more metadata entries, as where they are not registered.
 */
internal class JavaTypes {
    /** Arrow Java numbers dictionaries as it meets them, an outer one before those in its values. */
    private var dictionaries = 0L

    fun schema(schema: Schema): JavaSchema = JavaSchema(schema.fields().map(::field), entries(schema.metadata()))

    fun field(field: Field): JavaField {
        val type = field.type().storageType()
        val encoding =
            (type as? DictionaryType)?.let {
                DictionaryEncoding(dictionaries++, it.ordered(), type(it.indexType()) as JavaType.Int)
            }
        val fieldType = FieldType(field.nullable(), type(type), encoding, metadata(field))
        return JavaField(field.name(), fieldType, type.children().map(::field))
    }

    /** The field of the values of a dictionary, as Arrow Java names it. */
    fun dictionary(type: DictionaryType): JavaField = field(Field.nullable("", type.valueType()))

    private fun metadata(field: Field): Map<String, String> {
        val extension = field.type() as? ExtensionType ?: return entries(field.metadata())
        return entries(field.metadata()) +
            mapOf(ExtensionType.NAME_KEY to extension.name()) +
            mapOf(ExtensionType.METADATA_KEY to extension.serialized().decodeToString())
    }

    fun entries(metadata: Metadata): Map<String, String> = metadata.entries.associate { it.key to it.value }

    @Suppress("CyclomaticComplexMethod") // One line for each type is as plain as it gets.
    private fun type(type: ArrowType): JavaType =
        when (type.id()) {
            TypeId.NULL -> JavaType.Null()
            TypeId.BOOL -> JavaType.Bool()
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
            TypeId.UTF8 -> JavaType.Utf8()
            TypeId.LARGE_UTF8 -> JavaType.LargeUtf8()
            TypeId.UTF8_VIEW -> JavaType.Utf8View()
            TypeId.BINARY -> JavaType.Binary()
            TypeId.LARGE_BINARY -> JavaType.LargeBinary()
            TypeId.BINARY_VIEW -> JavaType.BinaryView()
            TypeId.FIXED_SIZE_BINARY -> JavaType.FixedSizeBinary((type as FixedSizeBinaryType).byteWidth())
            TypeId.DATE32 -> JavaType.Date(DateUnit.DAY)
            TypeId.DATE64 -> JavaType.Date(DateUnit.MILLISECOND)
            TypeId.TIME32 -> JavaType.Time(unit((type as TimeType).unit()), 32)
            TypeId.TIME64 -> JavaType.Time(unit((type as TimeType).unit()), 64)
            TypeId.TIMESTAMP -> (type as TimestampType).let { JavaType.Timestamp(unit(it.unit()), it.timezone()) }
            TypeId.DURATION -> JavaType.Duration(unit((type as DurationType).unit()))
            TypeId.INTERVAL_MONTHS -> JavaType.Interval(IntervalUnit.YEAR_MONTH)
            TypeId.INTERVAL_DAY_TIME -> JavaType.Interval(IntervalUnit.DAY_TIME)
            TypeId.INTERVAL_MONTH_DAY_NANO -> JavaType.Interval(IntervalUnit.MONTH_DAY_NANO)
            TypeId.LIST -> JavaType.List()
            TypeId.LARGE_LIST -> JavaType.LargeList()
            TypeId.LIST_VIEW -> JavaType.ListView()
            TypeId.LARGE_LIST_VIEW -> JavaType.LargeListView()
            TypeId.FIXED_SIZE_LIST -> JavaType.FixedSizeList((type as FixedSizeListType).listSize())
            TypeId.STRUCT -> JavaType.Struct()
            TypeId.MAP -> JavaType.Map((type as MapType).keysSorted())
            TypeId.SPARSE_UNION -> JavaType.Union(UnionMode.Sparse, (type as UnionType).typeIds().toIntArray())
            TypeId.DENSE_UNION -> JavaType.Union(UnionMode.Dense, (type as UnionType).typeIds().toIntArray())
            TypeId.RUN_END_ENCODED -> JavaType.RunEndEncoded()
            TypeId.DICTIONARY -> type((type as DictionaryType).indexType())
            else -> throw IllegalArgumentException("Arrow Java has no $type")
        }

    private fun decimal(type: DecimalType) = JavaType.Decimal(type.precision(), type.scale(), type.layout().bitWidth())

    private fun unit(unit: TimeUnit) =
        org.apache.arrow.vector.types.TimeUnit
            .valueOf(unit.name)
}
