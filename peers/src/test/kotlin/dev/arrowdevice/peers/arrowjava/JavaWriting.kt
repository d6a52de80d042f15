package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.MonthDayNanoInterval
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.vector.BaseIntVector
import org.apache.arrow.vector.BitVector
import org.apache.arrow.vector.DateDayVector
import org.apache.arrow.vector.DateMilliVector
import org.apache.arrow.vector.Decimal256Vector
import org.apache.arrow.vector.DecimalVector
import org.apache.arrow.vector.DurationVector
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.FixedSizeBinaryVector
import org.apache.arrow.vector.Float2Vector
import org.apache.arrow.vector.Float4Vector
import org.apache.arrow.vector.Float8Vector
import org.apache.arrow.vector.IntervalDayVector
import org.apache.arrow.vector.IntervalMonthDayNanoVector
import org.apache.arrow.vector.IntervalYearVector
import org.apache.arrow.vector.NullVector
import org.apache.arrow.vector.TimeMicroVector
import org.apache.arrow.vector.TimeMilliVector
import org.apache.arrow.vector.TimeNanoVector
import org.apache.arrow.vector.TimeSecVector
import org.apache.arrow.vector.TimeStampVector
import org.apache.arrow.vector.VariableWidthFieldVector
import org.apache.arrow.vector.complex.DenseUnionVector
import org.apache.arrow.vector.complex.FixedSizeListVector
import org.apache.arrow.vector.complex.LargeListVector
import org.apache.arrow.vector.complex.LargeListViewVector
import org.apache.arrow.vector.complex.ListVector
import org.apache.arrow.vector.complex.ListViewVector
import org.apache.arrow.vector.complex.MapVector
import org.apache.arrow.vector.complex.RunEndEncodedVector
import org.apache.arrow.vector.complex.StructVector
import org.apache.arrow.vector.complex.UnionVector
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.ipc.message.ArrowFieldNode
import java.math.BigDecimal
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.time.ZoneOffset
import org.apache.arrow.vector.types.TimeUnit as JavaUnit
import org.apache.arrow.vector.types.pojo.ArrowType as JavaType

/**
 * Writes objects, such as our own arrays read as, into vectors by Arrow Java's setters. Values of unions come as
 * entries from the index of a child to its value; a run-end encoded vector gets runs of its own for each value.
 */
internal class JavaWriting(
    private val allocator: BufferAllocator,
    private val dictionaries: DictionaryProvider,
) {
    fun write(
        vector: FieldVector,
        values: List<Any?>,
    ) {
        val encoding = vector.field.dictionary
        when {
            encoding != null -> writeIndices(vector as BaseIntVector, values, dictionaries.lookup(encoding.id).vector)
            vector is UnionVector -> writeSparse(vector, values)
            vector is DenseUnionVector -> writeDense(vector, values)
            vector is RunEndEncodedVector -> writeRuns(vector, values)
            else -> writePlain(vector, values)
        }
    }

    private fun writePlain(
        vector: FieldVector,
        values: List<Any?>,
    ) {
        vector.allocateNew()
        values.forEachIndexed { index, value ->
            if (value == null) {
                vector.setNullSafe(index)
            } else {
                set(vector, index, value)
            }
        }
        writeChildren(vector, values)
        vector.valueCount = values.size
    }

    /** Not every class that has one makes room in it. */
    private fun FieldVector.setNullSafe(index: Int) {
        while (valueCapacity <= index && this !is NullVector) reAlloc()
        setNull(index)
    }

    @Suppress("CyclomaticComplexMethod") // One line for each class of vectors is as plain as it gets.
    private fun set(
        vector: FieldVector,
        index: Int,
        value: Any,
    ) {
        when (vector) {
            is BitVector -> {
                vector.setSafe(index, if (value as Boolean) 1 else 0)
            }

            is BaseIntVector -> {
                vector.setWithPossibleTruncate(index, (value as Number).toLong())
            }

            is Float2Vector -> {
                vector.setSafeWithPossibleTruncate(index, value as Float)
            }

            is Float4Vector -> {
                vector.setSafe(index, value as Float)
            }

            is Float8Vector -> {
                vector.setSafe(index, value as Double)
            }

            is DecimalVector -> {
                vector.setSafe(index, value as BigDecimal)
            }

            is Decimal256Vector -> {
                vector.setSafe(index, value as BigDecimal)
            }

            is VariableWidthFieldVector -> {
                bytes(value).let { vector.setSafe(index, it, 0, it.size) }
            }

            is FixedSizeBinaryVector -> {
                vector.setSafe(index, value as ByteArray)
            }

            is DateDayVector -> {
                vector.setSafe(index, (value as LocalDate).toEpochDay().toInt())
            }

            is DateMilliVector -> {
                vector.setSafe(index, (value as LocalDate).toEpochDay() * 86_400_000)
            }

            is TimeSecVector -> {
                vector.setSafe(index, (value as LocalTime).toSecondOfDay())
            }

            is TimeMilliVector -> {
                vector.setSafe(index, ((value as LocalTime).toNanoOfDay() / 1_000_000).toInt())
            }

            is TimeMicroVector -> {
                vector.setSafe(index, (value as LocalTime).toNanoOfDay() / 1_000)
            }

            is TimeNanoVector -> {
                vector.setSafe(index, (value as LocalTime).toNanoOfDay())
            }

            is TimeStampVector -> {
                vector.setSafe(index, timestamp(vector, value))
            }

            is DurationVector -> {
                vector.setSafe(index, duration(vector, value as Duration))
            }

            is IntervalYearVector -> {
                vector.setSafe(index, (value as Period).toTotalMonths().toInt())
            }

            is IntervalDayVector -> {
                (value as DayTimeInterval).let {
                    vector.setSafe(
                        index,
                        it.days(),
                        it.milliseconds(),
                    )
                }
            }

            is IntervalMonthDayNanoVector -> {
                monthDayNano(vector, index, value as MonthDayNanoInterval)
            }

            is LargeListVector -> {
                vector
                    .startNewValue(
                        index.toLong(),
                    ).run { vector.endValue(index, size(value).toLong()) }
            }

            is ListVector -> {
                vector.startNewValue(index).run { vector.endValue(index, size(value)) }
            }

            is ListViewVector -> {
                vector.startNewValue(index).run { vector.endValue(index, size(value)) }
            }

            is LargeListViewVector -> {
                vector.startNewValue(index).run { vector.endValue(index, size(value)) }
            }

            is FixedSizeListVector -> {
                vector.startNewValue(index)
            }

            is StructVector -> {
                vector.setIndexDefined(index)
            }

            else -> {
                throw IllegalArgumentException("${vector.javaClass}")
            }
        }
    }

    /** The elements of all lists, one after the other, or the fields of all rows. */
    private fun writeChildren(
        vector: FieldVector,
        values: List<Any?>,
    ) {
        when (vector) {
            is MapVector -> {
                writeEntries(
                    vector.dataVector as StructVector,
                    values.flatMap {
                        it as List<*>?
                            ?: listOf<Any>()
                    },
                )
            }

            is ListVector, is LargeListVector, is ListViewVector, is LargeListViewVector -> {
                write(vector.childrenFromFields.single(), values.flatMap { it as List<*>? ?: listOf<Any>() })
            }

            is FixedSizeListVector -> {
                write(vector.dataVector, values.flatMap { it as List<*>? ?: List(vector.listSize) { null } })
            }

            is StructVector -> {
                vector.childrenFromFields.forEach { child ->
                    write(child, values.map { (it as Map<*, *>?)?.get(child.name) })
                }
            }
        }
    }

    private fun writeEntries(
        vector: StructVector,
        entries: List<Any?>,
    ) {
        val (keys, values) = vector.childrenFromFields.map { it.name }
        writePlain(vector, entries.map { (it as Map.Entry<*, *>).run { mapOf(keys to key, values to value) } })
    }

    /** The dictionary gets each value once, in order of appearance. */
    private fun writeIndices(
        indices: BaseIntVector,
        values: List<Any?>,
        dictionary: FieldVector,
    ) {
        val distinct = values.filterNotNull().distinct()
        write(dictionary, distinct)
        writePlain(indices as FieldVector, values.map { value -> value?.let { distinct.indexOf(it) } })
    }

    private fun writeSparse(
        vector: UnionVector,
        values: List<Any?>,
    ) {
        vector.childrenFromFields.forEachIndexed { child, childVector ->
            write(
                childVector,
                values.map {
                    (it as Map.Entry<*, *>).let { choice ->
                        if (choice.key ==
                            child
                        ) {
                            choice.value
                        } else {
                            null
                        }
                    }
                },
            )
        }
        allocator.buffer(values.size.toLong()).use { typeIds ->
            values.forEach { typeIds.writeByte(typeId(vector, it)) }
            vector.loadFieldBuffers(ArrowFieldNode(values.size.toLong(), 0), listOf(typeIds))
        }
    }

    private fun writeDense(
        vector: DenseUnionVector,
        values: List<Any?>,
    ) {
        vector.allocateNew()
        val used = IntArray(vector.childrenFromFields.size)
        values.forEachIndexed { index, value ->
            vector.setTypeId(index, typeId(vector, value).toByte())
            vector.setOffset(index, used[(value as Map.Entry<*, *>).key as Int]++)
        }
        vector.childrenFromFields.forEachIndexed { child, childVector ->
            write(childVector, values.map { it as Map.Entry<*, *> }.filter { it.key == child }.map { it.value })
        }
        vector.valueCount = values.size
    }

    private fun typeId(
        vector: FieldVector,
        value: Any?,
    ): Int = (vector.field.type as JavaType.Union).typeIds[(value as Map.Entry<*, *>).key as Int]

    private fun writeRuns(
        vector: RunEndEncodedVector,
        values: List<Any?>,
    ) {
        val starts = values.indices.filter { it == 0 || values[it] != values[it - 1] }
        val ends = starts.drop(1) + if (values.isEmpty()) listOf() else listOf(values.size)
        write(vector.runEndsVector, ends)
        write(vector.valuesVector, starts.map { values[it] })
        vector.valueCount = values.size
    }

    private fun size(list: Any): Int = (list as List<*>).size

    private fun bytes(value: Any): ByteArray = if (value is String) value.encodeToByteArray() else value as ByteArray

    private fun timestamp(
        vector: TimeStampVector,
        value: Any,
    ): Long {
        val instant = if (value is LocalDateTime) value.toInstant(ZoneOffset.UTC) else value as Instant
        return units((vector.field.type as JavaType.Timestamp).unit, instant.epochSecond, instant.nano)
    }

    private fun duration(
        vector: DurationVector,
        value: Duration,
    ): Long = units((vector.field.type as JavaType.Duration).unit, value.seconds, value.nano)

    private fun units(
        unit: JavaUnit,
        second: Long,
        nano: Int,
    ): Long =
        when (unit) {
            JavaUnit.SECOND -> second
            JavaUnit.MILLISECOND -> second * 1_000 + nano / 1_000_000
            JavaUnit.MICROSECOND -> second * 1_000_000 + nano / 1_000
            JavaUnit.NANOSECOND -> second * 1_000_000_000 + nano
        }

    private fun monthDayNano(
        vector: IntervalMonthDayNanoVector,
        index: Int,
        value: MonthDayNanoInterval,
    ) = vector.setSafe(index, value.months(), value.days(), value.nanoseconds())
}
