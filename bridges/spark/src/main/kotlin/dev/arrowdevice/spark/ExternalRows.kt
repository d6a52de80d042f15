package dev.arrowdevice.spark

import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RecordBatch
import org.apache.spark.sql.Row
import org.apache.spark.sql.RowFactory
import org.apache.spark.sql.types.ArrayType
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.MapType
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.CalendarInterval
import scala.jdk.javaapi.CollectionConverters
import java.math.BigInteger
import java.nio.ByteBuffer
import java.sql.Date
import java.sql.Timestamp
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId
import java.util.UUID
import java.util.function.UnaryOperator

/** The rows of batches as the objects that users of Spark see. */
internal class ExternalRows(
    private val schema: StructType,
    /** Whether dates and timestamps are of `java.time`, not of `java.sql`. */
    private val java8: Boolean,
) {
    /** As batches have it: Arrow has one type for all of Spark's intervals of days, for one. */
    private val expected = schema.toArrowSchema().toSparkSchema()
    private val converters = schema.fields().map { converter(it.dataType()) }

    /** Reads the rows of a batch, while it is open. */
    fun reader(batch: RecordBatch): (Long) -> Row {
        val found = batch.schema.toSparkSchema()
        val fields = expected.fields()
        require(
            found.fieldNames().contentEquals(expected.fieldNames()) &&
                fields.indices.all { found.fields()[it].dataType() == fields[it].dataType() },
        ) {
            "the function of mapBatches returned a batch with the columns ${found.simpleString()}, and " +
                "the result was said to have ${schema.simpleString()}: pass the schema of its batches to mapBatches"
        }
        val columns = List(batch.columnCount) { batch.column(it) }
        return { row ->
            RowFactory.create(*Array(columns.size) { i -> columns[i].getObject(row)?.let(converters[i]) })
        }
    }

    private fun converter(type: DataType): (Any) -> Any? =
        when (type) {
            DataTypes.DateType -> {
                { value -> if (java8) value else Date.valueOf(value as LocalDate) }
            }

            DataTypes.TimestampType -> {
                { value -> if (java8) value else timestamp(value as Instant) }
            }

            DataTypes.CalendarIntervalType -> {
                ::calendarInterval
            }

            DataTypes.BinaryType -> {
                { value -> if (value is UUID) bytes(value) else value }
            }

            is ArrayType -> {
                nested(type.elementType()).let { element ->
                    { value -> scalaList((value as List<*>).map(element)) }
                }
            }

            is MapType -> {
                mapConverter(nested(type.keyType()), nested(type.valueType()))
            }

            is StructType -> {
                structConverter(type)
            }

            else -> {
                { value -> if (value is BigInteger) value.toBigDecimal() else value }
            }
        }

    private fun nested(type: DataType): (Any?) -> Any? =
        converter(type).let { convert -> { value -> value?.let(convert) } }

    private fun mapConverter(
        key: (Any?) -> Any?,
        value: (Any?) -> Any?,
    ): (Any) -> Any? =
        { entries ->
            val map = LinkedHashMap<Any?, Any?>()
            (entries as List<*>).forEach {
                (it as Map.Entry<*, *>).let { entry ->
                    map[key(entry.key)] =
                        value(entry.value)
                }
            }
            CollectionConverters.asScala(map)
        }

    private fun structConverter(type: StructType): (Any) -> Any? {
        val fields = type.fields().map { it.name() to nested(it.dataType()) }
        return { value ->
            RowFactory.create(*Array(fields.size) { i -> fields[i].second((value as Map<*, *>)[fields[i].first]) })
        }
    }

    companion object {
        /** What Spark's rows have and builders don't know, as something that they know. */
        val ADAPTER: UnaryOperator<Any> =
            UnaryOperator { value ->
                when (value) {
                    is Date -> value.toLocalDate()
                    is Timestamp -> instant(value)
                    is CalendarInterval -> RowBatches.intervalOf(value)
                    is scala.collection.Map<*, *> -> CollectionConverters.asJava(value)
                    is scala.collection.Seq<*> -> CollectionConverters.asJava(value)
                    is Row -> List(value.length()) { value.get(it) as Any? }
                    else -> value
                }
            }

        /**
         * From here on `java.sql` and `java.time` agree on the local time of an instant. Before, the calendar differs, or the
         * offset of a zone, of which `java.sql` knows nothing before 1900. The day more is for local times.
         */
        private val SAME_CALENDAR = Instant.parse("1900-01-02T00:00:00Z")

        /** About what a value of no fixed width takes. */
        fun byteSize(value: Any?): Long =
            when (value) {
                is String -> {
                    value.length.toLong()
                }

                is ByteArray -> {
                    value.size.toLong()
                }

                is Row -> {
                    (0 until value.length()).sumOf { byteSize(value.get(it)) }
                }

                is scala.collection.Map<*, *> -> {
                    CollectionConverters.asJava(value).entries.sumOf {
                        byteSize(it.key) +
                            elementSize(it.value)
                    }
                }

                is scala.collection.Seq<*> -> {
                    CollectionConverters.asJava(value).sumOf { elementSize(it) }
                }

                else -> {
                    0
                }
            }

        private fun elementSize(value: Any?) = byteSize(value) + RowBatches.ELEMENT_BYTES

        private fun scalaList(values: List<*>) = CollectionConverters.asScala(values).toSeq()

        /** Spark keeps the local time, not the instant, of `java.sql`'s old timestamps. */
        private fun timestamp(instant: Instant): Timestamp =
            if (instant < SAME_CALENDAR) {
                Timestamp.valueOf(instant.atZone(ZoneId.systemDefault()).toLocalDateTime())
            } else {
                Timestamp.from(instant)
            }

        private fun instant(timestamp: Timestamp): Instant =
            if (timestamp.toInstant() < SAME_CALENDAR) {
                timestamp.toLocalDateTime().atZone(ZoneId.systemDefault()).toInstant()
            } else {
                timestamp.toInstant()
            }

        private fun bytes(uuid: UUID): ByteArray =
            ByteBuffer
                .allocate(UUID_BYTES)
                .putLong(uuid.mostSignificantBits)
                .putLong(uuid.leastSignificantBits)
                .array()

        private fun calendarInterval(value: Any): CalendarInterval =
            when (value) {
                is DayTimeInterval -> {
                    CalendarInterval(0, value.days(), value.milliseconds() * MICROS_OF_MILLI)
                }

                is MonthDayNanoInterval -> {
                    CalendarInterval(
                        value.months(),
                        value.days(),
                        Math.floorDiv(value.nanoseconds(), NANOS_OF_MICRO),
                    )
                }

                else -> {
                    error("an interval as $value")
                }
            }

        private const val UUID_BYTES = 16
        private const val MICROS_OF_MILLI = 1000L
        private const val NANOS_OF_MICRO = 1000L
    }
}
