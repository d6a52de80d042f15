package dev.arrowdevice.spark

import dev.arrowdevice.Schema
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.DataTypes
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.OffsetDateTime
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit
import org.apache.spark.sql.types.DecimalType as SparkDecimal

/** Partitions by ranges of a column, with the options of Spark's own JDBC source. Each row is in one of them. */
internal object ColumnRanges {
    val OPTIONS = listOf("partitionColumn", "lowerBound", "upperBound", "numPartitions")
    private val WHOLE = setOf(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType)

    /** The conditions of the partitions; null if there are no such options. */
    fun of(
        options: SourceOptions,
        schema: Schema,
        names: SqlNames,
    ): List<String>? {
        val given = OPTIONS.filter { it in options }
        if (given.isEmpty()) return null
        require(given.size == OPTIONS.size) {
            "the options ${OPTIONS.joinToString()} belong together; there is only ${given.joinToString()}"
        }
        val name = options.required("partitionColumn")
        val field =
            schema.fields().find { it.name() == name }
                ?: schema.fields().find { it.name().equals(name, ignoreCase = true) }
        requireNotNull(field) {
            "the option partitionColumn is \"$name\", which is no column; there are: ${schema.names().joinToString()}"
        }
        val type = sparkType(name, field.type())
        require(
            isPlain(field.type()) &&
                (type in WHOLE || type is SparkDecimal || type == DataTypes.DateType || type.isTimestamp()),
        ) {
            "the option partitionColumn is \"$name\", which is ${field.type()}, not a number, a date or a timestamp"
        }
        val lower = position("lowerBound", options.required("lowerBound"), type)
        val upper = position("upperBound", options.required("upperBound"), type)
        require(lower < upper) { "the option lowerBound is not less than upperBound" }
        return conditions(
            names.quoted(field.name()),
            bounds(lower, upper, options.positive("numPartitions")!!).map {
                literal(it, type)
            },
        )
    }

    private fun DataType.isTimestamp() = this == DataTypes.TimestampType || this == DataTypes.TimestampNTZType

    /** The bounds between the partitions. */
    private fun bounds(
        lower: Long,
        upper: Long,
        count: Int,
    ): List<Long> {
        val width = (upper.toBigInteger() - lower.toBigInteger())
        val partitions = width.min(count.toBigInteger()).toInt()
        return (1 until partitions).map {
            (lower.toBigInteger() + width * it.toBigInteger() / partitions.toBigInteger()).toLong()
        }
    }

    private fun conditions(
        column: String,
        bounds: List<String>,
    ): List<String> {
        if (bounds.isEmpty()) return listOf("1 = 1")
        val inner = bounds.zipWithNext { from, to -> "$column >= $from AND $column < $to" }
        return listOf("$column < ${bounds.first()} OR $column IS NULL") + inner + "$column >= ${bounds.last()}"
    }

    private fun position(
        option: String,
        text: String,
        type: DataType,
    ): Long =
        try {
            when {
                type == DataTypes.DateType -> LocalDate.parse(text).toEpochDay()
                type.isTimestamp() -> ChronoUnit.MICROS.between(Instant.EPOCH, instant(text.trim().replace(' ', 'T')))
                else -> text.trim().toLong()
            }
        } catch (e: RuntimeException) {
            // Of numbers, and of java.time.
            throw IllegalArgumentException("the option $option is \"$text\", not a value of ${type.sql()}", e)
        }

    private fun instant(text: String): Instant =
        when {
            'T' !in text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
            text.endsWith('Z') || ZONE.containsMatchIn(text) -> OffsetDateTime.parse(text).toInstant()
            else -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC)
        }

    private fun literal(
        position: Long,
        type: DataType,
    ): String =
        requireNotNull(
            when {
                type == DataTypes.DateType -> SqlPredicates.date(position)
                type.isTimestamp() -> SqlPredicates.timestamp(position, type == DataTypes.TimestampType)
                else -> position.toString()
            },
        ) { "the options lowerBound and upperBound have a year outside of 1 to 9999" }

    private val ZONE = Regex("[+-]\\d\\d:?\\d\\d$")
}
