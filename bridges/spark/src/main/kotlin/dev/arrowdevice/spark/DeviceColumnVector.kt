package dev.arrowdevice.spark

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.DurationType
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TimeType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.Decimal
import org.apache.spark.sql.vectorized.ColumnVector
import org.apache.spark.sql.vectorized.ColumnarArray
import org.apache.spark.sql.vectorized.ColumnarMap
import org.apache.spark.unsafe.types.CalendarInterval
import org.apache.spark.unsafe.types.UTF8String
import dev.arrowdevice.DictionaryType as ArrowDictionary

/**
 * An array as Spark reads it, value by value in our memory. It owns nothing: whoever has the batch closes it, and a read
 * after that is an exception.
 *
 * Spark also reads values that are null, in bulk; they are zeros.
 */
internal class DeviceColumnVector(
    private val view: ArrayView,
    sparkType: DataType,
) : ColumnVector(sparkType) {
    /** The type of the values, whatever encodes them. */
    private val valueType: ArrowType = valueType(view.type)
    private val mayBeNull =
        valueType !== view.type.storageType() || valueType.id() == TypeId.NULL || view.nullCount != 0L
    private val factor = microsFactor(valueType)

    /** Spark counts them as well, but has no value between two microseconds. */
    private val isNanosOfDay = (valueType as? TimeType)?.unit() == TimeUnit.NANOSECOND
    private val children by lazy { children() }
    private val lists by lazy { ListRanges.of(view) }

    /** The strings of a dictionary, each made when it is first needed. */
    private val dictionary: Array<UTF8String?>? =
        if (view.type.storageType() is ArrowDictionary && valueType.id() in STRINGS) {
            arrayOfNulls(Math.toIntExact(view.dictionary.length))
        } else {
            null
        }

    override fun close() = Unit

    /** Counted once: Spark asks the elements of all lists for each list that it copies. */
    private val nulls by lazy {
        if (mayBeNull) (0 until Math.toIntExact(view.length)).count { view.isNull(it.toLong()) } else 0
    }

    override fun hasNull(): Boolean = nulls > 0

    override fun numNulls(): Int = nulls

    override fun isNullAt(row: Int): Boolean = mayBeNull && view.isNull(row.toLong())

    override fun getBoolean(row: Int): Boolean =
        !isNullAt(row) &&
            if (valueType.id() ==
                TypeId.BOOL
            ) {
                view.getBoolean(row.toLong())
            } else {
                view.getByte(row.toLong()) != 0.toByte()
            }

    override fun getByte(row: Int): Byte = if (isNullAt(row)) 0 else view.getByte(row.toLong())

    override fun getShort(row: Int): Short =
        when {
            isNullAt(row) -> 0
            valueType.id() == TypeId.UINT8 -> (view.getByte(row.toLong()).toInt() and UBYTE).toShort()
            else -> view.getShort(row.toLong())
        }

    override fun getInt(row: Int): Int =
        when {
            isNullAt(row) -> 0
            valueType.id() == TypeId.UINT16 -> view.getShort(row.toLong()).toInt() and USHORT
            valueType.id() == TypeId.DATE64 -> Math.toIntExact(Math.floorDiv(view.getLong(row.toLong()), MILLIS_OF_DAY))
            else -> view.getInt(row.toLong())
        }

    override fun getLong(row: Int): Long =
        when {
            isNullAt(row) -> 0
            valueType.id() == TypeId.UINT32 -> view.getInt(row.toLong()).toLong() and UINT
            isNanosOfDay -> view.getLong(row.toLong()).let { it - Math.floorMod(it, NANOS_OF_MICRO) }
            factor == 1L -> view.getLong(row.toLong())
            factor > 0 -> Math.multiplyExact(view.getLong(row.toLong()), factor)
            else -> Math.floorDiv(view.getLong(row.toLong()), -factor)
        }

    override fun getFloat(row: Int): Float = if (isNullAt(row)) 0f else view.getFloat(row.toLong())

    override fun getDouble(row: Int): Double =
        when {
            isNullAt(row) -> 0.0
            valueType.id() in INTEGERS -> exactly(view.getLong(row.toLong()))
            else -> view.getDouble(row.toLong())
        }

    private fun exactly(value: Long): Double =
        value.toDouble().also {
            // Long.MAX_VALUE becomes 2^63, which becomes Long.MAX_VALUE again.
            check(it.toLong() == value && value != Long.MAX_VALUE) {
                "the integer $value is no floating point number, as which its column was planned: cast it in the query"
            }
        }

    override fun getDecimal(
        row: Int,
        precision: Int,
        scale: Int,
    ): Decimal? =
        when {
            isNullAt(row) -> {
                null
            }

            valueType.id() == TypeId.UINT64 -> {
                Decimal.apply(
                    java.lang.Long
                        .toUnsignedString(view.getLong(row.toLong()))
                        .toBigDecimal(),
                    precision,
                    scale,
                )
            }

            valueType.id() == TypeId.DECIMAL64 -> {
                Decimal.apply(view.getLong(row.toLong()), precision, scale)
            }

            else -> {
                Decimal.apply(view.getDecimal(row.toLong()), precision, scale)
            }
        }

    override fun getUTF8String(row: Int): UTF8String? {
        if (isNullAt(row)) return null
        val known = dictionary ?: return UTF8String.fromBytes(view.getBytes(row.toLong()))
        val index = view.borrow { it.dictionaryIndex(row.toLong()) }.toInt()
        return known[index] ?: UTF8String.fromBytes(view.getBytes(row.toLong())).also { known[index] = it }
    }

    override fun getBinary(row: Int): ByteArray? = if (isNullAt(row)) null else view.getBytes(row.toLong())

    override fun getInterval(row: Int): CalendarInterval? =
        if (isNullAt(row)) {
            null
        } else {
            when (val interval = view.getObject(row.toLong())) {
                is DayTimeInterval -> {
                    CalendarInterval(0, interval.days(), interval.milliseconds() * MICROS_OF_MILLI)
                }

                is MonthDayNanoInterval -> {
                    CalendarInterval(
                        interval.months(),
                        interval.days(),
                        Math.floorDiv(interval.nanoseconds(), NANOS_OF_MICRO),
                    )
                }

                else -> {
                    error("a value of type ${view.type} as $interval")
                }
            }
        }

    override fun getArray(row: Int): ColumnarArray? =
        if (isNullAt(row)) null else ColumnarArray(getChild(0), lists.starts[row], lists.sizes[row])

    override fun getMap(row: Int): ColumnarMap? =
        if (isNullAt(row)) null else ColumnarMap(getChild(0), getChild(1), lists.starts[row], lists.sizes[row])

    /** Spark calls this from generated code. */
    public override fun getChild(ordinal: Int): ColumnVector = children[ordinal]

    private fun children(): List<ColumnVector> {
        val values = if (view.type.storageType().id() == TypeId.MAP) view.child(0) else view
        return List(valueType.let { if (it.id() == TypeId.MAP) 2 else it.children().size }) { i ->
            val child = values.child(i)
            DeviceColumnVector(child, sparkType("", child.type))
        }
    }

    companion object {
        private const val UBYTE = 0xFF
        private const val USHORT = 0xFFFF
        private const val UINT = 0xFFFF_FFFFL
        private const val MILLIS_OF_DAY = 86_400_000L
        private const val MICROS_OF_MILLI = 1000L
        private const val NANOS_OF_MICRO = 1000L
        private val INTEGERS = setOf(TypeId.INT8, TypeId.INT16, TypeId.INT32, TypeId.INT64)
        private val STRINGS = setOf(TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW)

        /** Whether values are integers that may be read as floating point numbers, where each is one. */
        fun isInteger(view: ArrayView): Boolean = valueType(view.type).id() in INTEGERS

        private fun valueType(type: ArrowType): ArrowType =
            when (val storage = type.storageType()) {
                is ArrowDictionary -> valueType(storage.valueType())
                is RunEndEncodedType -> valueType(storage.values().type())
                else -> storage
            }

        /**
         * What a value is multiplied by, or divided by if this is negative, for Spark: its timestamps and intervals are in
         * microseconds, its times of day in nanoseconds.
         */
        private fun microsFactor(type: ArrowType): Long =
            when (type) {
                is TimestampType -> {
                    micros(type.unit())
                }

                is DurationType -> {
                    micros(type.unit())
                }

                is TimeType -> {
                    maxOf(1, micros(type.unit())) *
                        if (type.unit() == TimeUnit.NANOSECOND) 1 else NANOS_OF_MICRO
                }

                else -> {
                    1
                }
            }

        private fun micros(unit: TimeUnit): Long =
            when (unit) {
                TimeUnit.SECOND -> 1_000_000
                TimeUnit.MILLISECOND -> 1000
                TimeUnit.MICROSECOND -> 1
                TimeUnit.NANOSECOND -> -1000
            }
    }
}

/** Where the elements of each list are; Spark counts in ints. */
internal class ListRanges(
    val starts: IntArray,
    val sizes: IntArray,
) {
    companion object {
        fun of(view: ArrayView): ListRanges {
            val length = Math.toIntExact(view.length)
            val ranges = ListRanges(IntArray(length), IntArray(length))
            view.borrow { reader ->
                for (i in 0 until length) {
                    if (reader.isNull(i.toLong())) continue
                    ranges.starts[i] = Math.toIntExact(reader.listStart(i.toLong()))
                    ranges.sizes[i] = Math.toIntExact(reader.listSize(i.toLong()))
                }
            }
            return ranges
        }
    }
}
