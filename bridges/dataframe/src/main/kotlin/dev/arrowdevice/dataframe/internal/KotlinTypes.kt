package dev.arrowdevice.dataframe.internal

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID
import kotlin.reflect.KType
import kotlin.reflect.KTypeProjection
import kotlin.reflect.full.createType
import kotlin.reflect.full.withNullability
import kotlin.reflect.typeOf

private val NOTHING: KType = typeOf<List<Nothing?>>().arguments[0].type!!

/** The Kotlin type of the values that a column of an Arrow type has: those of `getObject`, and maps. */
internal fun kotlinTypeOf(
    type: ArrowType,
    nullable: Boolean,
): KType = kotlinTypeOf(type).withNullability(nullable || type.storageType().id() == TypeId.NULL)

private fun kotlinTypeOf(type: ArrowType): KType =
    when (type) {
        is DictionaryType -> kotlinTypeOf(type.valueType())
        is RunEndEncodedType -> kotlinTypeOf(type.values().type())
        is ExtensionType -> extension(type)
        is TimestampType -> if (type.timezone() == null) typeOf<LocalDateTime>() else typeOf<Instant>()
        else -> flatTypeOf(type.id()) ?: nested(type)
    }

private fun extension(type: ExtensionType): KType =
    when (type.name()) {
        ExtensionType.UUID -> typeOf<UUID>()
        ExtensionType.BOOL8 -> typeOf<Boolean>()
        else -> kotlinTypeOf(type.storageType())
    }

private fun flatTypeOf(type: TypeId): KType? =
    when (type) {
        TypeId.NULL -> NOTHING
        TypeId.BOOL -> typeOf<Boolean>()
        TypeId.INT8 -> typeOf<Byte>()
        TypeId.INT16, TypeId.UINT8 -> typeOf<Short>()
        TypeId.INT32, TypeId.UINT16 -> typeOf<Int>()
        TypeId.INT64, TypeId.UINT32 -> typeOf<Long>()
        TypeId.UINT64 -> typeOf<BigInteger>()
        TypeId.FLOAT16, TypeId.FLOAT32 -> typeOf<Float>()
        TypeId.FLOAT64 -> typeOf<Double>()
        TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256 -> typeOf<BigDecimal>()
        TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW -> typeOf<String>()
        TypeId.BINARY, TypeId.LARGE_BINARY, TypeId.BINARY_VIEW, TypeId.FIXED_SIZE_BINARY -> typeOf<ByteArray>()
        TypeId.DATE32, TypeId.DATE64 -> typeOf<LocalDate>()
        TypeId.TIME32, TypeId.TIME64 -> typeOf<LocalTime>()
        TypeId.DURATION -> typeOf<Duration>()
        TypeId.INTERVAL_MONTHS -> typeOf<Period>()
        TypeId.INTERVAL_DAY_TIME -> typeOf<DayTimeInterval>()
        TypeId.INTERVAL_MONTH_DAY_NANO -> typeOf<MonthDayNanoInterval>()
        TypeId.SPARSE_UNION, TypeId.DENSE_UNION -> typeOf<Any>()
        TypeId.STRUCT -> typeOf<Map<String, Any?>>()
        else -> null
    }

private fun nested(type: ArrowType): KType {
    val (kotlin, fields) =
        when {
            type.id() == TypeId.MAP -> {
                Map::class to
                    type
                        .fields()
                        .single()
                        .type
                        .fields()
            }

            type.isList() -> {
                List::class to type.fields()
            }

            else -> {
                throw UnsupportedOperationException("a DataFrame has no values of type $type")
            }
        }
    val arguments = fields.map { kotlinTypeOf(it.type, it.nullable || mayBeNull(it.type)) }
    return kotlin.createType(arguments.map(KTypeProjection::invariant))
}

/** Whether a value may be null where the field is not nullable: what has no nulls of its own refers to values. */
internal fun mayBeNull(type: ArrowType): Boolean =
    when (val storage = type.storageType()) {
        is DictionaryType -> true
        is RunEndEncodedType -> storage.values().nullable || mayBeNull(storage.values().type())
        else -> isUnion(storage) && storage.children().any { it.nullable || mayBeNull(it.type) }
    }

private fun isUnion(type: ArrowType) = type.id() == TypeId.SPARSE_UNION || type.id() == TypeId.DENSE_UNION

/** What makes maps of the lists of entries that `getObject` returns, wherever they are in a value; null if nowhere. */
internal fun converterOf(type: ArrowType): ((Any) -> Any)? =
    when (val storage = type.storageType()) {
        is DictionaryType -> converterOf(storage.valueType())
        is RunEndEncodedType -> converterOf(storage.values().type())
        else -> nestedConverter(storage)
    }

private fun nestedConverter(type: ArrowType): ((Any) -> Any)? =
    when {
        type.id() == TypeId.MAP -> mapConverter(type)
        type.isList() -> converterOf(type.fields().single().type)?.let(::listConverter)
        type.id() == TypeId.STRUCT -> structConverter(type)
        else -> null
    }

private fun mapConverter(type: ArrowType): (Any) -> Any {
    val entry = type.fields().single().type
    val (byKey, byValue) = entry.fields().map { converterOf(it.type) }
    return { entries ->
        (entries as List<*>).associate {
            it as Map.Entry<*, *>
            convert(it.key, byKey) to convert(it.value, byValue)
        }
    }
}

private fun listConverter(element: (Any) -> Any): (Any) -> Any =
    { list -> (list as List<*>).map { convert(it, element) } }

private fun structConverter(type: ArrowType): ((Any) -> Any)? {
    val converters = type.fields().associate { it.name to converterOf(it.type) }
    if (converters.values.all { it == null }) return null
    return { struct -> (struct as Map<*, *>).mapValues { (name, value) -> convert(value, converters[name]) } }
}

private fun convert(
    value: Any?,
    by: ((Any) -> Any)?,
): Any? = if (value == null || by == null) value else by(value)
