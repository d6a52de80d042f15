package dev.arrowdevice

import java.math.BigDecimal
import java.math.BigInteger
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.OffsetDateTime
import java.time.Period
import java.time.ZonedDateTime
import java.util.Date
import java.util.UUID
import kotlin.reflect.KClass
import kotlin.reflect.KType
import kotlin.reflect.typeOf

/**
 * The default Arrow type of a Kotlin type:
 *
 * ```text
 * Boolean                      bool
 * Byte, Short, Int, Long       int8, int16, int32, int64
 * UByte, UShort, UInt, ULong   uint8, uint16, uint32, uint64
 * Float, Double                float32, float64
 * String, Char                 utf8
 * ByteArray                    binary
 * LocalDate                    date32
 * LocalTime                    time64[ns], which holds every LocalTime
 * LocalDateTime                timestamp[ns], the years 1678 to 2261
 * Instant (java and kotlin)    timestamp[ns, tz=UTC], the years 1678 to 2261
 * Duration (java and kotlin)   duration[ns], 292 years either way
 * Period                       month_interval
 * DayTimeInterval, MonthDayNanoInterval   the intervals of that name
 * UUID                         arrow.uuid
 * List<T>, Collection<T>, Iterable<T>     list of nullable T
 * IntArray, DoubleArray, …     list of that
 * Map<K, V>                    map of K to nullable V
 * ```
 *
 * Times keep each nanosecond. For values out of range, such as 9999-12-31, name a coarser unit, as in
 * `timestamp("until", unit = TimeUnit.MICROSECOND, zone = "UTC")`. A value finer than that is refused, unless
 * `truncate = true`.
 *
 * @throws IllegalArgumentException for any other type; the message says what to write instead
 */
public inline fun <reified T : Any> arrowTypeOf(): ArrowType = arrowTypeOf(typeOf<T>())

private val INSTANT: ArrowType = ArrowType.timestamp(TimeUnit.NANOSECOND, "UTC")
private val DURATION: ArrowType = ArrowType.duration(TimeUnit.NANOSECOND)

private val FLAT_TYPES: Map<KClass<*>, ArrowType> =
    mapOf(
        Boolean::class to ArrowType.BOOL,
        Byte::class to ArrowType.INT8,
        Short::class to ArrowType.INT16,
        Int::class to ArrowType.INT32,
        Long::class to ArrowType.INT64,
        UByte::class to ArrowType.UINT8,
        UShort::class to ArrowType.UINT16,
        UInt::class to ArrowType.UINT32,
        ULong::class to ArrowType.UINT64,
        Float::class to ArrowType.FLOAT32,
        Double::class to ArrowType.FLOAT64,
        String::class to ArrowType.UTF8,
        Char::class to ArrowType.UTF8,
        ByteArray::class to ArrowType.BINARY,
        LocalDate::class to ArrowType.DATE32,
        LocalTime::class to ArrowType.time64(TimeUnit.NANOSECOND),
        LocalDateTime::class to ArrowType.timestamp(TimeUnit.NANOSECOND),
        java.time.Instant::class to INSTANT,
        kotlin.time.Instant::class to INSTANT,
        java.time.Duration::class to DURATION,
        kotlin.time.Duration::class to DURATION,
        Period::class to ArrowType.INTERVAL_MONTHS,
        DayTimeInterval::class to ArrowType.INTERVAL_DAY_TIME,
        MonthDayNanoInterval::class to ArrowType.INTERVAL_MONTH_DAY_NANO,
        UUID::class to ArrowType.uuid(),
        BooleanArray::class to ArrowType.list(ArrowType.BOOL),
        ShortArray::class to ArrowType.list(ArrowType.INT16),
        IntArray::class to ArrowType.list(ArrowType.INT32),
        LongArray::class to ArrowType.list(ArrowType.INT64),
        FloatArray::class to ArrowType.list(ArrowType.FLOAT32),
        DoubleArray::class to ArrowType.list(ArrowType.FLOAT64),
    )

@PublishedApi
internal fun arrowTypeOf(type: KType): ArrowType =
    when (val classifier = type.classifier) {
        List::class, Collection::class, Iterable::class -> ArrowType.list(arrowTypeOf(argument(type, 0)))
        Map::class -> ArrowType.map(arrowTypeOf(argument(type, 0)), arrowTypeOf(argument(type, 1)))
        else -> FLAT_TYPES[classifier] ?: throw IllegalArgumentException(unmapped(type))
    }

private fun argument(
    type: KType,
    index: Int,
): KType =
    requireNotNull(type.arguments[index].type) {
        "no Arrow type stands for ${nameOf(type)}: say what it is a collection of"
    }

private fun unmapped(type: KType): String =
    "no Arrow type is the default for ${nameOf(type)}: " +
        when (type.classifier) {
            BigDecimal::class -> {
                "say how many digits, as in decimal(\"price\", precision = 10, scale = 2), " +
                    "or deviceArray<BigDecimal>(ArrowType.decimal128(10, 2))"
            }

            BigInteger::class -> {
                "Long or ULong have one, or name one, as in column<BigInteger>(\"n\", ArrowType.decimal128(38, 0))"
            }

            OffsetDateTime::class, ZonedDateTime::class, Date::class -> {
                "add its toInstant() to a column<Instant>, which keeps the moment but not the zone"
            }

            else -> {
                if ((type.classifier as? KClass<*>)?.java?.isEnum == true) {
                    "add its name to a dictionary<String>, which stores each name once"
                } else {
                    "name one, as in column<…>(\"name\", ArrowType.UTF8). The fields of a class are a struct(…) or, " +
                        "in lists, a listOfStructs(…)"
                }
            }
        }

/** A Kotlin type as messages name it: without packages, except those of types that Java has by the same name. */
internal fun nameOf(type: KType): String {
    val name = (type.classifier as? KClass<*>)?.let(::nameOf) ?: type.classifier.toString()
    val arguments = type.arguments.joinToString { argument -> argument.type?.let(::nameOf) ?: "*" }
    return name + (if (arguments.isEmpty()) "" else "<$arguments>") + (if (type.isMarkedNullable) "?" else "")
}

internal fun nameOf(type: KClass<*>): String =
    if (type.java.name.startsWith("kotlin.time")) type.java.name else type.simpleName.orEmpty()
