@file:JvmName("SparkTypes")

package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DecimalType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import org.apache.spark.sql.types.ArrayType
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.DayTimeIntervalType
import org.apache.spark.sql.types.MapType
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.types.StructField
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.types.TimeType
import org.apache.spark.sql.types.YearMonthIntervalType
import org.apache.spark.sql.types.DecimalType as SparkDecimal
import org.apache.spark.sql.types.Metadata as SparkMetadata

/**
 * The schema that Spark sees, in which each field is as nullable as here; docs/spark.md has the table of types.
 *
 * @throws UnsupportedOperationException if Spark has no type for a field; the message names it
 */
public fun Schema.toSparkSchema(): StructType = StructType(fields().map { it.toSpark() }.toTypedArray())

/**
 * The schema of batches with rows of Spark.
 *
 * @throws UnsupportedOperationException if Arrow has no type for a field; the message names it
 */
public fun StructType.toArrowSchema(): Schema = Schema.of(fields().map { it.toArrow() })

private fun Field.toSpark(): StructField =
    StructField(name(), sparkType(name(), type()), nullable(), SparkMetadata.empty())

/** The type that Spark sees values of a type as. */
internal fun sparkType(
    name: String,
    type: ArrowType,
): DataType {
    val storage = type.storageType()
    val children = storage.children()
    return when (storage.id()!!) {
        TypeId.NULL -> {
            DataTypes.NullType
        }

        TypeId.BOOL -> {
            DataTypes.BooleanType
        }

        TypeId.INT8 -> {
            if (type == ArrowType.bool8()) DataTypes.BooleanType else DataTypes.ByteType
        }

        TypeId.INT16, TypeId.UINT8 -> {
            DataTypes.ShortType
        }

        TypeId.INT32, TypeId.UINT16 -> {
            DataTypes.IntegerType
        }

        TypeId.INT64, TypeId.UINT32 -> {
            DataTypes.LongType
        }

        TypeId.UINT64 -> {
            DataTypes.createDecimalType(UINT64_DIGITS, 0)
        }

        TypeId.FLOAT16, TypeId.FLOAT32 -> {
            DataTypes.FloatType
        }

        TypeId.FLOAT64 -> {
            DataTypes.DoubleType
        }

        TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256 -> {
            decimal(name, storage as DecimalType)
        }

        TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW -> {
            DataTypes.StringType
        }

        TypeId.BINARY, TypeId.LARGE_BINARY, TypeId.BINARY_VIEW, TypeId.FIXED_SIZE_BINARY -> {
            DataTypes.BinaryType
        }

        TypeId.DATE32, TypeId.DATE64 -> {
            DataTypes.DateType
        }

        TypeId.TIME32, TypeId.TIME64 -> {
            TimeType(TimeType.MICROS_PRECISION())
        }

        TypeId.TIMESTAMP -> {
            val zone = (storage as TimestampType).timezone()
            if (zone.isNullOrEmpty()) DataTypes.TimestampNTZType else DataTypes.TimestampType
        }

        TypeId.DURATION -> {
            DataTypes.createDayTimeIntervalType()
        }

        TypeId.INTERVAL_MONTHS -> {
            DataTypes.createYearMonthIntervalType()
        }

        TypeId.INTERVAL_DAY_TIME, TypeId.INTERVAL_MONTH_DAY_NANO -> {
            DataTypes.CalendarIntervalType
        }

        TypeId.LIST, TypeId.LARGE_LIST, TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW, TypeId.FIXED_SIZE_LIST -> {
            DataTypes.createArrayType(sparkType(name, children[0].type()), children[0].nullable())
        }

        TypeId.MAP -> {
            val (key, value) = children[0].type().children()
            DataTypes.createMapType(sparkType(name, key.type()), sparkType(name, value.type()), value.nullable())
        }

        TypeId.STRUCT -> {
            StructType(children.map { it.toSpark() }.toTypedArray())
        }

        TypeId.DICTIONARY -> {
            encoded(name, type, (storage as dev.arrowdevice.DictionaryType).valueType())
        }

        TypeId.RUN_END_ENCODED -> {
            encoded(name, type, children[1].type())
        }

        TypeId.SPARSE_UNION, TypeId.DENSE_UNION, TypeId.EXTENSION -> {
            throw UnsupportedOperationException(
                "column \"$name\": Spark has no type for $type; leave the column out, or cast it where it comes from",
            )
        }
    }
}

/** Spark takes the children of a vector for those of its values, which they are not if these are encoded. */
private fun encoded(
    name: String,
    type: ArrowType,
    values: ArrowType,
): DataType =
    sparkType(name, values).also {
        if (it is ArrayType || it is MapType || it is StructType) {
            throw UnsupportedOperationException(
                "column \"$name\": Spark reads no lists, maps and structs that are encoded, as those of $type are; " +
                    "decode the column where it comes from",
            )
        }
    }

private fun decimal(
    name: String,
    type: DecimalType,
): DataType {
    if (type.precision() > SparkDecimal.MAX_PRECISION() || type.scale() < 0 || type.scale() > type.precision()) {
        throw UnsupportedOperationException(
            "column \"$name\": Spark's decimals have a precision of at most ${SparkDecimal.MAX_PRECISION()} and " +
                "a scale between 0 and the precision, unlike $type; cast it where it comes from",
        )
    }
    return DataTypes.createDecimalType(type.precision(), type.scale())
}

/** The same columns, of which each may have nulls, within nested types too: one folder has files of both kinds. */
internal fun StructType.nullable(): StructType =
    StructType(
        fields()
            .map { StructField(it.name(), nullableType(it.dataType()), true, it.metadata()) }
            .toTypedArray(),
    )

private fun nullableType(type: DataType): DataType =
    when (type) {
        is StructType -> type.nullable()
        is ArrayType -> DataTypes.createArrayType(nullableType(type.elementType()), true)
        is MapType -> DataTypes.createMapType(nullableType(type.keyType()), nullableType(type.valueType()), true)
        else -> type
    }

/** Whether values are of one type, whether or not they may be null. */
internal fun sameType(
    left: DataType,
    right: DataType,
): Boolean = nullableType(left) == nullableType(right)

private fun StructField.toArrow(): Field = fieldOf(name(), arrowType(name(), dataType()), nullable())

private fun fieldOf(
    name: String,
    type: ArrowType,
    nullable: Boolean,
): Field = if (nullable) Field.nullable(name, type) else Field.notNull(name, type)

/** The type of batches with values of Spark. */
internal fun arrowType(
    name: String,
    type: DataType,
): ArrowType =
    when (type) {
        DataTypes.NullType -> {
            ArrowType.NULL
        }

        DataTypes.BooleanType -> {
            ArrowType.BOOL
        }

        DataTypes.ByteType -> {
            ArrowType.INT8
        }

        DataTypes.ShortType -> {
            ArrowType.INT16
        }

        DataTypes.IntegerType -> {
            ArrowType.INT32
        }

        DataTypes.LongType -> {
            ArrowType.INT64
        }

        DataTypes.FloatType -> {
            ArrowType.FLOAT32
        }

        DataTypes.DoubleType -> {
            ArrowType.FLOAT64
        }

        DataTypes.BinaryType -> {
            ArrowType.BINARY
        }

        DataTypes.DateType -> {
            ArrowType.DATE32
        }

        DataTypes.TimestampType -> {
            ArrowType.timestamp(TimeUnit.MICROSECOND, "UTC")
        }

        DataTypes.TimestampNTZType -> {
            ArrowType.timestamp(TimeUnit.MICROSECOND)
        }

        DataTypes.CalendarIntervalType -> {
            ArrowType.INTERVAL_MONTH_DAY_NANO
        }

        is StringType -> {
            ArrowType.UTF8
        }

        is SparkDecimal -> {
            ArrowType.decimal128(type.precision(), type.scale())
        }

        is TimeType -> {
            ArrowType.time64(TimeUnit.NANOSECOND)
        }

        is DayTimeIntervalType -> {
            ArrowType.duration(TimeUnit.MICROSECOND)
        }

        is YearMonthIntervalType -> {
            ArrowType.INTERVAL_MONTHS
        }

        is ArrayType -> {
            ArrowType.list(fieldOf(Field.LIST_ELEMENT_NAME, arrowType(name, type.elementType()), type.containsNull()))
        }

        is MapType -> {
            val key = Field.notNull("key", arrowType(name, type.keyType()))
            ArrowType.map(key, fieldOf("value", arrowType(name, type.valueType()), type.valueContainsNull()), false)
        }

        is StructType -> {
            ArrowType.struct(type.fields().map { it.toArrow() })
        }

        else -> {
            throw UnsupportedOperationException(
                "column \"$name\": there is no Arrow type for Spark's ${type.sql()}; cast the column to another type first",
            )
        }
    }

private const val UINT64_DIGITS = 20
