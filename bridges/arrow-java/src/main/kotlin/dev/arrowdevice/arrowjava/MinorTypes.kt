package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.FixedSizeBinaryType
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.TimeType
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.FixedSizeBinaryVector
import org.apache.arrow.vector.complex.FixedSizeListVector
import org.apache.arrow.vector.types.Types.MinorType

/** Whether a vector has the layout of arrays of a type. Not whether its children have. */
internal fun FieldVector.fits(storage: ArrowType): Boolean {
    val vector = plain()
    val type = if (storage is DictionaryType) storage.indexType() else storage
    return vector.minorType == minorType(type) &&
        (type !is FixedSizeBinaryType || (vector as FixedSizeBinaryVector).byteWidth == type.byteWidth()) &&
        (type !is FixedSizeListType || (vector as FixedSizeListVector).listSize == type.listSize())
}

/** The class of vectors for a type; null if there is none. */
private fun minorType(type: ArrowType): MinorType? =
    when (type) {
        is TimeType -> timeTypes[type.unit().ordinal]
        is TimestampType -> (if (type.timezone() == null) timestampTypes else zonedTypes)[type.unit().ordinal]
        else -> minorTypes[type.id().ordinal]
    }

// In the order of the units.

private val timeTypes = listOf(MinorType.TIMESEC, MinorType.TIMEMILLI, MinorType.TIMEMICRO, MinorType.TIMENANO)

private val timestampTypes =
    listOf(MinorType.TIMESTAMPSEC, MinorType.TIMESTAMPMILLI, MinorType.TIMESTAMPMICRO, MinorType.TIMESTAMPNANO)

private val zonedTypes =
    listOf(MinorType.TIMESTAMPSECTZ, MinorType.TIMESTAMPMILLITZ, MinorType.TIMESTAMPMICROTZ, MinorType.TIMESTAMPNANOTZ)

private val minorTypes: Array<MinorType?> =
    arrayOfNulls<MinorType>(TypeId.entries.size).also { types ->
        mapOf(
            TypeId.NULL to MinorType.NULL,
            TypeId.BOOL to MinorType.BIT,
            TypeId.INT8 to MinorType.TINYINT,
            TypeId.UINT8 to MinorType.UINT1,
            TypeId.INT16 to MinorType.SMALLINT,
            TypeId.UINT16 to MinorType.UINT2,
            TypeId.INT32 to MinorType.INT,
            TypeId.UINT32 to MinorType.UINT4,
            TypeId.INT64 to MinorType.BIGINT,
            TypeId.UINT64 to MinorType.UINT8,
            TypeId.FLOAT16 to MinorType.FLOAT2,
            TypeId.FLOAT32 to MinorType.FLOAT4,
            TypeId.FLOAT64 to MinorType.FLOAT8,
            TypeId.DECIMAL128 to MinorType.DECIMAL,
            TypeId.DECIMAL256 to MinorType.DECIMAL256,
            TypeId.UTF8 to MinorType.VARCHAR,
            TypeId.LARGE_UTF8 to MinorType.LARGEVARCHAR,
            TypeId.UTF8_VIEW to MinorType.VIEWVARCHAR,
            TypeId.BINARY to MinorType.VARBINARY,
            TypeId.LARGE_BINARY to MinorType.LARGEVARBINARY,
            TypeId.BINARY_VIEW to MinorType.VIEWVARBINARY,
            TypeId.FIXED_SIZE_BINARY to MinorType.FIXEDSIZEBINARY,
            TypeId.DATE32 to MinorType.DATEDAY,
            TypeId.DATE64 to MinorType.DATEMILLI,
            TypeId.DURATION to MinorType.DURATION,
            TypeId.INTERVAL_MONTHS to MinorType.INTERVALYEAR,
            TypeId.INTERVAL_DAY_TIME to MinorType.INTERVALDAY,
            TypeId.INTERVAL_MONTH_DAY_NANO to MinorType.INTERVALMONTHDAYNANO,
            TypeId.LIST to MinorType.LIST,
            TypeId.LARGE_LIST to MinorType.LARGELIST,
            TypeId.LIST_VIEW to MinorType.LISTVIEW,
            TypeId.LARGE_LIST_VIEW to MinorType.LARGELISTVIEW,
            TypeId.FIXED_SIZE_LIST to MinorType.FIXED_SIZE_LIST,
            TypeId.STRUCT to MinorType.STRUCT,
            TypeId.MAP to MinorType.MAP,
            TypeId.SPARSE_UNION to MinorType.UNION,
            TypeId.DENSE_UNION to MinorType.DENSEUNION,
            TypeId.RUN_END_ENCODED to MinorType.RUNENDENCODED,
        ).forEach { (id, minorType) -> types[id.ordinal] = minorType }
    }
