package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayView
import dev.arrowdevice.TypeId
import dev.arrowdevice.forEachDouble
import dev.arrowdevice.forEachFloat
import dev.arrowdevice.forEachIntChunk
import dev.arrowdevice.forEachLong
import dev.arrowdevice.forEachLongChunk
import dev.arrowdevice.internal.memory.Platform
import dev.arrowdevice.internal.reading.PrimitiveReaders
import dev.arrowdevice.internal.reading.ValueReader

private const val LOW_BITS = 0xFFFF_FFFFL

/** The number of values that may be added before the low bits must be carried. */
private const val UNTIL_CARRY = 1L shl 30

/**
 * The exact sum of integers, in two parts: [high] counts units of 2 to the power of 32. So a loop can add without
 * checking for overflow of a partial sum, which means nothing.
 */
internal class Total {
    private var high = 0L
    private var low = 0L
    private var count = 0L

    /** Adds the sums of the high and of the low 32 bits of at most [UNTIL_CARRY] values. */
    fun add(
        highs: Long,
        lows: Long,
        values: Long,
    ) {
        val sum = low + lows
        high += highs + (sum ushr 32)
        low = sum and LOW_BITS
        count += values
    }

    /** The sum; null if it is outside of a range. */
    fun toLong(range: LongRange): Long? {
        val fits = high == high.toInt().toLong()
        val sum = (high shl 32) or low
        return if (fits && sum in range) sum else null
    }

    /** The sum; null if it has more than 64 bits. */
    fun toULong(): ULong? = if (high in 0..LOW_BITS) ((high shl 32) or low).toULong() else null

    fun average(): Double = if (count == 0L) Double.NaN else (high * (LOW_BITS + 1.0) + low) / count
}

internal class FloatingTotal(
    val sum: Double,
    private val count: Long,
) {
    fun average(): Double = if (count == 0L) Double.NaN else sum / count
}

/**
 * The result of [sum] over the memory itself, if a loop there is as fast as one over a plain array; else null. It is if
 * the memory has values of one type and no nulls, so that only one class of reader ever comes to that loop.
 */
private inline fun <reified R : ValueReader, S : Any> ArrayView.inPlace(crossinline sum: (R) -> S): S? {
    if (!Platform.HAS_FOREIGN_MEMORY || nullCount != 0L) return null
    var found: S? = null
    borrow { reader -> if (reader is R && !reader.mayHaveNulls()) found = sum(reader) }
    return found
}

/** The sum of integers that fit a [Long]. */
internal fun totalOf(array: ArrayView): Total =
    when (array.type.id()) {
        TypeId.INT64 -> array.inPlace(::totalOfLongs) ?: totalOfLongs(array)
        TypeId.INT32 -> array.inPlace(::totalOfInts) ?: totalOfInts(array)
        else -> totalOfLongs(array)
    }

private fun totalOfLongs(reader: PrimitiveReaders.Int64): Total {
    val total = Total()
    var start = 0L
    while (start < reader.length) {
        val end = minOf(start + UNTIL_CARRY, reader.length)
        var highs = 0L
        var lows = 0L
        for (i in start until end) {
            val value = reader.getLong(i)
            highs += value shr 32
            lows += value and LOW_BITS
        }
        total.add(highs, lows, end - start)
        start = end
    }
    return total
}

private fun totalOfLongs(array: ArrayView): Total {
    val total = Total()
    array.forEachLongChunk { _, values, valid, nulls, count ->
        var highs = 0L
        var lows = 0L
        for (i in 0 until count) {
            // Not left out by a branch, which the processor could not predict.
            val value = if (nulls == 0 || valid[i]) values[i] else 0L
            highs += value shr 32
            lows += value and LOW_BITS
        }
        total.add(highs, lows, (count - nulls).toLong())
    }
    return total
}

private fun totalOfInts(reader: PrimitiveReaders.Int32): Total {
    var sum = 0L
    for (i in 0 until reader.length) sum += reader.getInt(i)
    return Total().apply { add(sum shr 32, sum and LOW_BITS, reader.length) }
}

private fun totalOfInts(array: ArrayView): Total {
    var sum = 0L
    var numbers = 0L
    array.forEachIntChunk { _, values, valid, nulls, count ->
        for (i in 0 until count) {
            sum += if (nulls == 0 || valid[i]) values[i] else 0
        }
        numbers += count - nulls
    }
    return Total().apply { add(sum shr 32, sum and LOW_BITS, numbers) }
}

/** The sum of integers, each the bits of an unsigned [Long]. */
internal fun unsignedTotalOf(array: ArrayView): Total {
    val total = Total()
    array.forEachLong { _, value -> total.add(value ushr 32, value and LOW_BITS, 1) }
    return total
}

internal fun totalOfFloats(array: ArrayView): FloatingTotal =
    array.inPlace<PrimitiveReaders.Float32, _> { reader ->
        var sum = 0.0
        for (i in 0 until reader.length) sum += reader.getFloat(i).toDouble()
        FloatingTotal(sum, reader.length)
    } ?: run {
        var sum = 0.0
        var count = 0L
        array.forEachFloat { _, value ->
            sum += value.toDouble()
            count++
        }
        FloatingTotal(sum, count)
    }

internal fun totalOfDoubles(array: ArrayView): FloatingTotal =
    array.inPlace<PrimitiveReaders.Float64, _> { reader ->
        var sum = 0.0
        for (i in 0 until reader.length) sum += reader.getDouble(i)
        FloatingTotal(sum, reader.length)
    } ?: run {
        var sum = 0.0
        var count = 0L
        array.forEachDouble { _, value ->
            sum += value
            count++
        }
        FloatingTotal(sum, count)
    }
