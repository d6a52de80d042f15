package dev.arrowdevice.spark

import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.ListBuilder
import dev.arrowdevice.builder.MapBuilder
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.builder.StructBuilder
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types.ArrayType
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.DayTimeIntervalType
import org.apache.spark.sql.types.Decimal
import org.apache.spark.sql.types.MapType
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.types.TimeType
import org.apache.spark.sql.types.YearMonthIntervalType
import org.apache.spark.unsafe.types.CalendarInterval
import java.util.function.UnaryOperator
import org.apache.spark.sql.types.DecimalType as SparkDecimal

/** Spark's rows, value by value, as batches in the memory of a task. */
internal class RowBatches(
    schema: StructType,
    private val memory: TaskMemory,
    private val batchRows: Int,
) : AutoCloseable {
    private val builder = RecordBatchBuilder.of(schema.toArrowSchema(), memory.runtime, UnaryOperator.identity())
    private val appenders = schema.fields().mapIndexed { i, field -> appender(builder.column(i), field.dataType()) }
    private var rows = 0
    private var variableBytes = 0L

    val isEmpty: Boolean get() = rows == 0

    /** Whether the batch should be taken: it has the rows that it may have, or long texts or lists. */
    val isFull: Boolean get() = rows >= batchRows || variableBytes >= ENOUGH_BYTES

    fun append(row: InternalRow) {
        memory.within { appenders.forEachIndexed { i, appender -> appender.append(row, i) } }
        rows++
    }

    /** The rows so far, which the caller closes. */
    fun take(): RecordBatch {
        rows = 0
        variableBytes = 0
        return memory.within { builder.finish() }
    }

    override fun close() = builder.close()

    private fun interface Appender {
        fun append(
            values: SpecializedGetters,
            index: Int,
        )
    }

    private fun appender(
        builder: ArrayBuilder,
        type: DataType,
    ): Appender {
        val present = presentAppender(builder, type)
        return Appender { values, i -> if (values.isNullAt(i)) builder.appendNull() else present.append(values, i) }
    }

    private fun presentAppender(
        builder: ArrayBuilder,
        type: DataType,
    ): Appender =
        when (type) {
            DataTypes.NullType -> {
                Appender { _, _ -> builder.appendNull() }
            }

            DataTypes.BooleanType -> {
                Appender { values, i -> builder.append(values.getBoolean(i)) }
            }

            DataTypes.ByteType -> {
                Appender { values, i -> builder.append(values.getByte(i).toInt()) }
            }

            DataTypes.ShortType -> {
                Appender { values, i -> builder.append(values.getShort(i).toInt()) }
            }

            DataTypes.IntegerType, DataTypes.DateType, is YearMonthIntervalType -> {
                Appender { values, i -> builder.append(values.getInt(i)) }
            }

            DataTypes.LongType, DataTypes.TimestampType, DataTypes.TimestampNTZType -> {
                Appender { values, i -> builder.append(values.getLong(i)) }
            }

            is DayTimeIntervalType, is TimeType -> {
                Appender { values, i -> builder.append(values.getLong(i)) }
            }

            DataTypes.FloatType -> {
                Appender { values, i -> builder.append(values.getFloat(i)) }
            }

            DataTypes.DoubleType -> {
                Appender { values, i -> builder.append(values.getDouble(i)) }
            }

            DataTypes.CalendarIntervalType -> {
                Appender { values, i -> builder.append(intervalOf(values.getInterval(i))) }
            }

            is StringType -> {
                Appender { values, i ->
                    val text = values.getUTF8String(i)
                    variableBytes += text.numBytes()
                    builder.append(text.toString() as Any)
                }
            }

            DataTypes.BinaryType -> {
                Appender { values, i ->
                    val bytes = values.getBinary(i)
                    variableBytes += bytes.size
                    builder.append(bytes as Any)
                }
            }

            is SparkDecimal -> {
                decimalAppender(builder, type)
            }

            is ArrayType -> {
                listAppender(builder.`as`(ListBuilder::class.java), type)
            }

            is MapType -> {
                mapAppender(builder.`as`(MapBuilder::class.java), type)
            }

            is StructType -> {
                structAppender(builder.`as`(StructBuilder::class.java), type)
            }

            else -> {
                throw UnsupportedOperationException("there is no Arrow type for Spark's ${type.sql()}")
            }
        }

    private fun decimalAppender(
        builder: ArrayBuilder,
        type: SparkDecimal,
    ): Appender =
        if (type.precision() <= Decimal.MAX_LONG_DIGITS()) {
            Appender {
                values,
                i,
                ->
                builder.appendUnscaled(values.getDecimal(i, type.precision(), type.scale()).toUnscaledLong())
            }
        } else {
            Appender {
                values,
                i,
                ->
                builder.append(values.getDecimal(i, type.precision(), type.scale()).toJavaBigDecimal() as Any)
            }
        }

    private fun listAppender(
        builder: ListBuilder,
        type: ArrayType,
    ): Appender {
        val element = appender(builder.elements(), type.elementType())
        return Appender { values, i ->
            val array = values.getArray(i)
            variableBytes += array.numElements() * ELEMENT_BYTES
            builder.startList()
            for (j in 0 until array.numElements()) element.append(array, j)
            builder.endList()
        }
    }

    private fun mapAppender(
        builder: MapBuilder,
        type: MapType,
    ): Appender {
        val key = appender(builder.keys(), type.keyType())
        val value = appender(builder.values(), type.valueType())
        return Appender { values, i ->
            val map = values.getMap(i)
            variableBytes += map.numElements() * ELEMENT_BYTES
            val keys = map.keyArray()
            val items = map.valueArray()
            builder.startMap()
            for (j in 0 until map.numElements()) {
                key.append(keys, j)
                value.append(items, j)
            }
            builder.endMap()
        }
    }

    private fun structAppender(
        builder: StructBuilder,
        type: StructType,
    ): Appender {
        val fields = type.fields().mapIndexed { i, field -> appender(builder.child(i), field.dataType()) }
        return Appender { values, i ->
            val row = values.getStruct(i, fields.size)
            fields.forEachIndexed { j, field -> field.append(row, j) }
            builder.appendRow()
        }
    }

    companion object {
        /** Enough for large copies, and little beside a task's memory. */
        const val ENOUGH_BYTES: Long = 32L shl 20

        /** About what an element of a list takes, beside the bytes of texts. */
        const val ELEMENT_BYTES: Long = 8
        private const val NANOS_OF_MICRO = 1000L

        fun intervalOf(interval: CalendarInterval): MonthDayNanoInterval =
            MonthDayNanoInterval(
                interval.months,
                interval.days,
                Math.multiplyExact(interval.microseconds, NANOS_OF_MICRO),
            )
    }
}
