package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.MonthDayNanoInterval
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
import org.apache.arrow.vector.LargeVarBinaryVector
import org.apache.arrow.vector.LargeVarCharVector
import org.apache.arrow.vector.NullVector
import org.apache.arrow.vector.TimeMicroVector
import org.apache.arrow.vector.TimeMilliVector
import org.apache.arrow.vector.TimeNanoVector
import org.apache.arrow.vector.TimeSecVector
import org.apache.arrow.vector.TimeStampVector
import org.apache.arrow.vector.UInt1Vector
import org.apache.arrow.vector.UInt2Vector
import org.apache.arrow.vector.UInt4Vector
import org.apache.arrow.vector.UInt8Vector
import org.apache.arrow.vector.VarBinaryVector
import org.apache.arrow.vector.VarCharVector
import org.apache.arrow.vector.ViewVarBinaryVector
import org.apache.arrow.vector.ViewVarCharVector
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
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.time.ZoneOffset
import org.apache.arrow.vector.types.TimeUnit as JavaUnit
import org.apache.arrow.vector.types.pojo.ArrowType as JavaType

/** The values of a vector, read by Arrow Java's accessors, as the objects that our own arrays return. */
internal class JavaReading(
    private val dictionaries: DictionaryProvider,
) {
    fun values(vector: FieldVector): List<Any?> = List(vector.valueCount) { value(vector, it) }

    private fun value(
        vector: FieldVector,
        index: Int,
    ): Any? {
        val encoding = vector.field.dictionary
        return when {
            vector is UnionVector -> {
                sparse(vector, index)
            }

            vector is DenseUnionVector -> {
                dense(vector, index)
            }

            vector is RunEndEncodedVector -> {
                value(vector.valuesVector, vector.getPhysicalIndex(index))
            }

            vector.isNull(index) -> {
                null
            }

            encoding == null -> {
                known(vector, index)
            }

            else -> {
                value(
                    dictionaries.lookup(encoding.id).vector,
                    (vector as BaseIntVector).getValueAsLong(index).toInt(),
                )
            }
        }
    }

    @Suppress("CyclomaticComplexMethod") // One line for each class of vectors is as plain as it gets.
    private fun known(
        vector: FieldVector,
        index: Int,
    ): Any? =
        when (vector) {
            is NullVector -> {
                null
            }

            is UInt1Vector -> {
                vector.getObjectNoOverflow(index)
            }

            is UInt2Vector -> {
                vector.get(index).code
            }

            is UInt4Vector -> {
                vector.getObjectNoOverflow(index)
            }

            is UInt8Vector -> {
                vector.getObjectNoOverflow(index)
            }

            is Float2Vector -> {
                vector.getValueAsFloat(index)
            }

            is BitVector, is BaseIntVector, is Float4Vector, is Float8Vector -> {
                vector.getObject(index)
            }

            is DecimalVector, is Decimal256Vector -> {
                vector.getObject(index)
            }

            is VarCharVector, is LargeVarCharVector, is ViewVarCharVector -> {
                "${vector.getObject(index)}"
            }

            is VarBinaryVector, is LargeVarBinaryVector, is ViewVarBinaryVector -> {
                vector.getObject(index)
            }

            is FixedSizeBinaryVector -> {
                vector.getObject(index)
            }

            is DateDayVector -> {
                LocalDate.ofEpochDay(vector.get(index).toLong())
            }

            is DateMilliVector -> {
                vector.getObject(index).toLocalDate()
            }

            is TimeSecVector -> {
                LocalTime.ofSecondOfDay(vector.get(index).toLong())
            }

            is TimeMilliVector -> {
                LocalTime.ofNanoOfDay(vector.get(index) * 1_000_000L)
            }

            is TimeMicroVector -> {
                LocalTime.ofNanoOfDay(vector.get(index) * 1_000)
            }

            is TimeNanoVector -> {
                LocalTime.ofNanoOfDay(vector.get(index))
            }

            is TimeStampVector -> {
                timestamp(vector, index)
            }

            is DurationVector -> {
                vector.getObject(index)
            }

            is IntervalYearVector -> {
                Period.ofMonths(vector.get(index))
            }

            is IntervalDayVector -> {
                dayTime(vector, index)
            }

            is IntervalMonthDayNanoVector -> {
                monthDayNano(vector, index)
            }

            is MapVector -> {
                entries(vector, index)
            }

            is ListVector -> {
                elements(
                    vector.dataVector,
                    vector.getElementStartIndex(index),
                    vector.getElementEndIndex(index),
                )
            }

            is LargeListVector -> {
                largeList(vector, index)
            }

            is ListViewVector -> {
                elements(
                    vector.dataVector,
                    vector.getElementStartIndex(index),
                    vector.getElementEndIndex(index),
                )
            }

            is LargeListViewVector -> {
                largeListView(vector, index)
            }

            is FixedSizeListVector -> {
                elements(
                    vector.dataVector,
                    vector.getElementStartIndex(index),
                    vector.getElementEndIndex(index),
                )
            }

            is StructVector -> {
                vector.childrenFromFields.associate { it.name to value(it, index) }
            }

            else -> {
                throw IllegalArgumentException("${vector.javaClass}")
            }
        }

    private fun elements(
        child: FieldVector,
        start: Int,
        end: Int,
    ): List<Any?> = (start until end).map { value(child, it) }

    private fun largeList(
        vector: LargeListVector,
        index: Int,
    ): List<Any?> =
        elements(
            vector.dataVector,
            vector.getElementStartIndex(index).toInt(),
            vector.getElementEndIndex(index).toInt(),
        )

    /** This class has no accessors for the bounds of a list. */
    private fun largeListView(
        vector: LargeListViewVector,
        index: Int,
    ): List<Any?> {
        val start = vector.offsetBuffer.getLong(index * Long.SIZE_BYTES.toLong()).toInt()
        val size = vector.sizeBuffer.getLong(index * Long.SIZE_BYTES.toLong()).toInt()
        return elements(vector.dataVector, start, start + size)
    }

    private fun entries(
        vector: MapVector,
        index: Int,
    ): List<Any?> {
        val (keys, values) = vector.dataVector.childrenFromFields
        return (vector.getElementStartIndex(index) until vector.getElementEndIndex(index)).map {
            java.util.AbstractMap.SimpleImmutableEntry(value(keys, it), value(values, it))
        }
    }

    private fun sparse(
        vector: UnionVector,
        index: Int,
    ): Any? {
        val typeIds = (vector.field.type as JavaType.Union).typeIds
        return value(vector.childrenFromFields[typeIds.indexOf(vector.getTypeValue(index))], index)
    }

    private fun dense(
        vector: DenseUnionVector,
        index: Int,
    ): Any? = value(vector.getVectorByType(vector.getTypeId(index)) as FieldVector, vector.getOffset(index))

    private fun timestamp(
        vector: TimeStampVector,
        index: Int,
    ): Any {
        val type = vector.field.type as JavaType.Timestamp
        val perSecond = perSecond(type.unit)
        val units = vector.get(index)
        val second = Math.floorDiv(units, perSecond)
        val nano = Math.floorMod(units, perSecond) * (1_000_000_000L / perSecond)
        return if (type.timezone == null) {
            LocalDateTime.ofEpochSecond(second, nano.toInt(), ZoneOffset.UTC)
        } else {
            Instant.ofEpochSecond(second, nano)
        }
    }

    private fun perSecond(unit: JavaUnit): Long =
        when (unit) {
            JavaUnit.SECOND -> 1
            JavaUnit.MILLISECOND -> 1_000
            JavaUnit.MICROSECOND -> 1_000_000
            JavaUnit.NANOSECOND -> 1_000_000_000
        }

    private fun dayTime(
        vector: IntervalDayVector,
        index: Int,
    ) = DayTimeInterval(
        IntervalDayVector.getDays(vector.dataBuffer, index),
        IntervalDayVector.getMilliseconds(vector.dataBuffer, index),
    )

    private fun monthDayNano(
        vector: IntervalMonthDayNanoVector,
        index: Int,
    ) = MonthDayNanoInterval(
        IntervalMonthDayNanoVector.getMonths(vector.dataBuffer, index),
        IntervalMonthDayNanoVector.getDays(vector.dataBuffer, index),
        IntervalMonthDayNanoVector.getNanoseconds(vector.dataBuffer, index),
    )
}
