package dev.arrowdevice.dataframe.internal

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.Field
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.Schema
import dev.arrowdevice.arrowTypeOf
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.columns.ColumnGroup
import org.jetbrains.kotlinx.dataframe.columns.FrameColumn
import org.jetbrains.kotlinx.dataframe.schema.ColumnSchema
import org.jetbrains.kotlinx.dataframe.schema.DataFrameSchema
import java.math.BigDecimal
import java.math.BigInteger
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID
import kotlin.reflect.KClass
import kotlin.reflect.KType
import kotlin.reflect.full.isSubclassOf

private val FLAT_TYPES: Map<KClass<*>, ArrowType> =
    mapOf(
        Boolean::class to arrowTypeOf<Boolean>(),
        Byte::class to arrowTypeOf<Byte>(),
        Short::class to arrowTypeOf<Short>(),
        Int::class to arrowTypeOf<Int>(),
        Long::class to arrowTypeOf<Long>(),
        UByte::class to arrowTypeOf<UByte>(),
        UShort::class to arrowTypeOf<UShort>(),
        UInt::class to arrowTypeOf<UInt>(),
        ULong::class to arrowTypeOf<ULong>(),
        Float::class to arrowTypeOf<Float>(),
        Double::class to arrowTypeOf<Double>(),
        String::class to arrowTypeOf<String>(),
        Char::class to arrowTypeOf<Char>(),
        ByteArray::class to arrowTypeOf<ByteArray>(),
        LocalDate::class to arrowTypeOf<LocalDate>(),
        LocalTime::class to arrowTypeOf<LocalTime>(),
        LocalDateTime::class to arrowTypeOf<LocalDateTime>(),
        java.time.Instant::class to arrowTypeOf<java.time.Instant>(),
        java.time.Duration::class to arrowTypeOf<java.time.Duration>(),
        kotlin.time.Instant::class to arrowTypeOf<kotlin.time.Instant>(),
        kotlin.time.Duration::class to arrowTypeOf<kotlin.time.Duration>(),
        kotlinx.datetime.LocalDate::class to arrowTypeOf<LocalDate>(),
        kotlinx.datetime.LocalTime::class to arrowTypeOf<LocalTime>(),
        kotlinx.datetime.LocalDateTime::class to arrowTypeOf<LocalDateTime>(),
        kotlinx.datetime.Instant::class to arrowTypeOf<java.time.Instant>(),
        Period::class to arrowTypeOf<Period>(),
        DayTimeInterval::class to arrowTypeOf<DayTimeInterval>(),
        MonthDayNanoInterval::class to arrowTypeOf<MonthDayNanoInterval>(),
        UUID::class to arrowTypeOf<UUID>(),
        BooleanArray::class to arrowTypeOf<BooleanArray>(),
        ShortArray::class to arrowTypeOf<ShortArray>(),
        IntArray::class to arrowTypeOf<IntArray>(),
        LongArray::class to arrowTypeOf<LongArray>(),
        FloatArray::class to arrowTypeOf<FloatArray>(),
        DoubleArray::class to arrowTypeOf<DoubleArray>(),
        Nothing::class to ArrowType.NULL,
        BigInteger::class to ArrowType.decimal128(38, 0),
    )

/** The schema of a data frame's Kotlin types. Reads values only of columns of decimals. */
internal fun schemaOf(frame: AnyFrame): Schema = Schema.of(frame.columns().map { fieldOf(it, "") })

private fun fieldOf(
    column: AnyCol,
    parent: String,
): Field {
    val name = column.name()
    val path = parent + name
    return when {
        column is ColumnGroup<*> -> {
            Field.notNull(name, ArrowType.struct(column.columns().map { fieldOf(it, "$path.") }))
        }

        column is FrameColumn<*> -> {
            listField(name, path, column.schema.value)
        }

        column.type().classifier.let { it == BigDecimal::class || it == BigInteger::class } -> {
            Field.nullable(name, decimalType(column)).withNullable(column.type().isMarkedNullable)
        }

        else -> {
            field(name, column.type(), path)
        }
    }
}

/** A frame column: lists, which are not null, of structs, which neither are. */
private fun listField(
    name: String,
    path: String,
    rows: DataFrameSchema,
): Field {
    val element = Field.notNull(Field.LIST_ELEMENT_NAME, structOf(rows, "$path[]."))
    return Field.notNull(name, ArrowType.list(element))
}

private fun structOf(
    rows: DataFrameSchema,
    parent: String,
): ArrowType =
    ArrowType.struct(
        rows.columns.map { (name, column) ->
            val path = parent + name
            when (column) {
                is ColumnSchema.Group -> Field.notNull(name, structOf(column.schema, "$path."))
                is ColumnSchema.Frame -> listField(name, path, column.schema)
                else -> field(name, column.type, path)
            }
        },
    )

private fun field(
    name: String,
    type: KType,
    path: String,
): Field {
    val arrow = arrowTypeOf(type, path)
    return Field.nullable(name, arrow).withNullable(type.isMarkedNullable || arrow == ArrowType.NULL)
}

private fun arrowTypeOf(
    type: KType,
    path: String,
): ArrowType {
    val kotlin = type.classifier as? KClass<*>
    val arguments = type.arguments.mapNotNull { it.type }
    return when {
        kotlin == null -> {
            null
        }

        kotlin == Map::class && arguments.size == 2 -> {
            mapType(arguments[0], arguments[1], path)
        }

        kotlin.isSubclassOf(Iterable::class) && arguments.size == 1 -> {
            ArrowType.list(field(Field.LIST_ELEMENT_NAME, arguments[0], path))
        }

        else -> {
            FLAT_TYPES[kotlin] ?: if (kotlin.java == Void::class.java) ArrowType.NULL else null
        }
    }
        ?: throw IllegalArgumentException(
            "column \"$path\": no Arrow type is the default for $type; name one in a schema",
        )
}

private fun mapType(
    key: KType,
    value: KType,
    path: String,
): ArrowType {
    require(!key.isMarkedNullable) { "column \"$path\": keys of maps can't be null, those of its type can: $key" }
    return ArrowType.map(field("key", key, path), field("value", value, path), false)
}

/** Room for each number of a column. */
private fun decimalType(column: AnyCol): ArrowType {
    var scale = 0
    var whole = 0
    for (value in column.values()) {
        val number = if (value is BigInteger) BigDecimal(value) else value as BigDecimal? ?: continue
        scale = maxOf(scale, number.scale())
        whole = maxOf(whole, number.precision() - number.scale())
    }
    require(whole + scale <= 76) {
        "column \"${column.name()}\": a decimal has at most 76 digits, these would need ${whole + scale}"
    }
    return if (whole + scale <= 38) ArrowType.decimal128(38, scale) else ArrowType.decimal256(76, scale)
}
