package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.MapType
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import dev.arrowdevice.nameOf
import java.math.BigDecimal
import java.math.BigInteger
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID
import kotlin.reflect.KClass
import kotlin.reflect.KType

/** The decoder of an Arrow type for a Kotlin type, or null if they do not fit. */
internal fun decoderOf(
    kotlin: KType,
    arrow: ArrowType,
): Decoder<*>? {
    val value = valueType(arrow)
    val classifier = kotlin.classifier
    return when {
        classifier == Any::class -> Decoders.OBJECT
        hasElements(arrow) && classifier == LongRange::class -> Decoders.RANGE
        isList(value) && classifier in LISTS -> listDecoder(kotlin, value)
        value.storageType() is MapType && classifier == Map::class -> mapDecoder(kotlin, value)
        value.id() == TypeId.STRUCT && classifier == Map::class -> structDecoder(kotlin)
        else -> flatDecoders(value)[classifier]
    }
}

private val LISTS: Set<KClass<*>> = setOf(List::class, Collection::class, Iterable::class)

private fun listDecoder(
    kotlin: KType,
    arrow: ArrowType,
): Decoder<*>? {
    val element = kotlin.arguments[0].type ?: return Decoders.OBJECT
    return decoderOf(element, arrow.children()[0].type())?.let { ListDecoder(it, element.isMarkedNullable) }
}

private fun mapDecoder(
    kotlin: KType,
    arrow: ArrowType,
): Decoder<*>? {
    val map = arrow.storageType() as MapType
    val key = kotlin.arguments[0].type ?: return null
    val value = kotlin.arguments[1].type ?: return null
    val keys = decoderOf(key, map.key().type()) ?: return null
    val values = decoderOf(value, map.value().type()) ?: return null
    return MapDecoder(keys, values, value.isMarkedNullable)
}

/** Decodes a struct to a map from field names to nullable objects of any class. */
private fun structDecoder(kotlin: KType): Decoder<*>? {
    val (key, value) = kotlin.arguments.map { it.type }
    val fits =
        (key == null || key.classifier == String::class) &&
            (value == null || (value.classifier == Any::class && value.isMarkedNullable))
    return if (fits) Decoders.OBJECT else null
}

/** Whether [dev.arrowdevice.ArrayView.child] is the array of all elements or entries: not of an encoded array. */
private fun hasElements(arrow: ArrowType) = isList(arrow) || arrow.storageType() is MapType

private fun isList(arrow: ArrowType): Boolean =
    when (arrow.storageType().id()) {
        TypeId.LIST, TypeId.LARGE_LIST, TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW, TypeId.FIXED_SIZE_LIST -> true
        else -> false
    }

/** The type of the values: without encodings, and without extension types that are read as their storage. */
private tailrec fun valueType(arrow: ArrowType): ArrowType =
    when (arrow) {
        is DictionaryType -> valueType(arrow.valueType())
        is RunEndEncodedType -> valueType(arrow.values().type())
        is ExtensionType -> if (arrow.name() in READ_AS_OBJECT) arrow else valueType(arrow.storageType())
        else -> arrow
    }

private val READ_AS_OBJECT = setOf(ExtensionType.UUID, ExtensionType.BOOL8)

private val SIGNED =
    listOf(
        Byte::class to Decoders.BYTE,
        Short::class to Decoders.SHORT,
        Int::class to Decoders.INT,
        Long::class to Decoders.LONG,
    )

private val UNSIGNED =
    listOf(
        UByte::class to Decoders.UBYTE,
        UShort::class to Decoders.USHORT,
        UInt::class to Decoders.UINT,
        ULong::class to Decoders.ULONG,
    )

/** Raw numbers of temporal types with 32 bits, and with 64 below. */
private val RAW32 = SIGNED.drop(2)
private val RAW64 = SIGNED.drop(3)
private val TEXT = listOf(String::class to Decoders.STRING, ByteArray::class to Decoders.BYTES)

private fun flatDecoders(arrow: ArrowType): Map<KClass<*>, Decoder<*>> = flatDecoderList(arrow).toMap()

private fun objects(vararg classes: KClass<*>) = classes.map { it to Decoders.OBJECT }

private fun flatDecoderList(arrow: ArrowType): List<Pair<KClass<*>, Decoder<*>>> =
    when (arrow.id()) {
        TypeId.BOOL -> {
            listOf(Boolean::class to Decoders.BOOLEAN)
        }

        TypeId.INT8 -> {
            SIGNED
        }

        TypeId.INT16 -> {
            SIGNED.drop(1)
        }

        TypeId.INT32 -> {
            SIGNED.drop(2)
        }

        TypeId.INT64 -> {
            SIGNED.drop(3) + (BigInteger::class to Decoders.BIG_INTEGER)
        }

        TypeId.UINT8 -> {
            UNSIGNED + SIGNED.drop(1)
        }

        TypeId.UINT16 -> {
            UNSIGNED.drop(1) + SIGNED.drop(2)
        }

        TypeId.UINT32 -> {
            UNSIGNED.drop(2) + SIGNED.drop(3)
        }

        TypeId.UINT64 -> {
            UNSIGNED.drop(3) + objects(BigInteger::class)
        }

        TypeId.FLOAT16, TypeId.FLOAT32 -> {
            listOf(Float::class to Decoders.FLOAT, Double::class to Decoders.DOUBLE)
        }

        TypeId.FLOAT64 -> {
            listOf(Double::class to Decoders.DOUBLE)
        }

        TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256 -> {
            listOf(BigDecimal::class to Decoders.DECIMAL)
        }

        TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW -> {
            TEXT
        }

        TypeId.BINARY, TypeId.LARGE_BINARY, TypeId.BINARY_VIEW, TypeId.FIXED_SIZE_BINARY -> {
            TEXT.drop(1)
        }

        TypeId.DATE32 -> {
            objects(LocalDate::class) + RAW32
        }

        TypeId.DATE64 -> {
            objects(LocalDate::class) + RAW64
        }

        TypeId.TIME32 -> {
            objects(LocalTime::class) + RAW32
        }

        TypeId.TIME64 -> {
            objects(LocalTime::class) + RAW64
        }

        TypeId.TIMESTAMP -> {
            if ((arrow as TimestampType).timezone() == null) {
                objects(LocalDateTime::class) + RAW64
            } else {
                objects(java.time.Instant::class) + (kotlin.time.Instant::class to Decoders.KOTLIN_INSTANT) + RAW64
            }
        }

        TypeId.DURATION -> {
            objects(java.time.Duration::class) + (kotlin.time.Duration::class to Decoders.KOTLIN_DURATION) + RAW64
        }

        TypeId.INTERVAL_MONTHS -> {
            objects(Period::class) + RAW32
        }

        TypeId.INTERVAL_DAY_TIME -> {
            objects(DayTimeInterval::class)
        }

        TypeId.INTERVAL_MONTH_DAY_NANO -> {
            objects(MonthDayNanoInterval::class)
        }

        TypeId.EXTENSION -> {
            if ((arrow as ExtensionType).name() == ExtensionType.UUID) {
                objects(UUID::class)
            } else {
                listOf(Boolean::class to Decoders.BOOLEAN, Byte::class to Decoders.BYTE)
            }
        }

        else -> {
            emptyList()
        }
    }

/** The Kotlin types that fit an Arrow type, as messages name them. */
internal fun kotlinNamesOf(arrow: ArrowType): List<String> =
    valueNamesOf(arrow) + (if (hasElements(arrow)) listOf("LongRange") else emptyList())

private fun valueNamesOf(arrow: ArrowType): List<String> {
    val value = valueType(arrow)
    val storage = value.storageType()
    return when {
        isList(value) -> {
            valueNamesOf(value.children()[0].type()).map { "List<$it?>" }
        }

        storage is MapType -> {
            valueNamesOf(storage.key().type()).flatMap { key ->
                valueNamesOf(storage.value().type()).map { "Map<$key, $it?>" }
            }
        }

        value.id() == TypeId.STRUCT -> {
            listOf("Map<String, Any?>")
        }

        else -> {
            flatDecoderList(value)
                .map { (kotlin, _) -> nameOf(kotlin) }
                .ifEmpty { listOf("Any") }
        }
    }
}
