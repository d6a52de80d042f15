package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.TypeId
import dev.arrowdevice.forEachDouble
import dev.arrowdevice.forEachFloat
import dev.arrowdevice.forEachInt
import dev.arrowdevice.forEachLong
import java.math.BigDecimal
import java.math.BigInteger
import java.math.MathContext
import kotlin.reflect.KClassifier
import kotlin.reflect.KType

/** Sums, means and extremes of values of one Kotlin number type. Nulls are left out. */
internal interface Numbers<out T : Any> {
    /** The name of the Kotlin type. */
    val name: String

    /** The exact sum; null if it does not fit the type. */
    fun sum(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T?

    fun average(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double

    fun min(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T?

    fun max(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T?
}

private val NUMBERS: Map<KClassifier, Numbers<*>> =
    mapOf(
        Byte::class to WholeNumbers("Byte", Byte.MIN_VALUE..Byte.MAX_VALUE.toLong()) { it.toByte() },
        Short::class to WholeNumbers("Short", Short.MIN_VALUE..Short.MAX_VALUE.toLong()) { it.toShort() },
        Int::class to WholeNumbers("Int", Int.MIN_VALUE..Int.MAX_VALUE.toLong()) { it.toInt() },
        Long::class to WholeNumbers("Long", Long.MIN_VALUE..Long.MAX_VALUE) { it },
        UByte::class to WholeNumbers("UByte", 0L..UByte.MAX_VALUE.toLong()) { it.toUByte() },
        UShort::class to WholeNumbers("UShort", 0L..UShort.MAX_VALUE.toLong()) { it.toUShort() },
        UInt::class to WholeNumbers("UInt", 0L..UInt.MAX_VALUE.toLong()) { it.toUInt() },
        ULong::class to UnsignedLongs,
        Float::class to FloatNumbers,
        Double::class to DoubleNumbers,
        BigDecimal::class to
            BigNumbers<BigDecimal>(
                "BigDecimal",
                BigDecimal.ZERO,
                BigDecimal::add,
            ) { it },
        BigInteger::class to
            BigNumbers<BigInteger>(
                "BigInteger",
                BigInteger.ZERO,
                BigInteger::add,
                ::BigDecimal,
            ),
    )

/** The arithmetic of a Kotlin type; null if it is not a number type. */
internal fun numbersOf(type: KType): Numbers<*>? = type.classifier?.let(NUMBERS::get)

/** The name of a wider type, to read an array as if its sum does not fit; null if there is none. */
internal fun widerThan(
    numbers: Numbers<*>?,
    arrow: ArrowType,
): String? {
    val fitting = kotlinNamesOf(arrow)
    val order =
        if (numbers?.name.orEmpty().startsWith(
                "U",
            )
        ) {
            listOf("ULong", "BigInteger")
        } else {
            listOf("Long", "BigInteger")
        }
    return order.drop(order.indexOf(numbers?.name) + 1).firstOrNull { it in fitting }
}

private inline fun ArrayView.forEachInteger(action: (Long) -> Unit) {
    if (type.id() == TypeId.INT32) {
        forEachInt { _, value -> action(value.toLong()) }
    } else {
        forEachLong { _, value -> action(value) }
    }
}

/** Integers that fit a [Long]. They are read as one. */
private class WholeNumbers<T : Any>(
    override val name: String,
    private val range: LongRange,
    private val of: (Long) -> T,
) : Numbers<T> {
    override fun sum(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T? = totalOf(array).toLong(range)?.let(of)

    override fun average(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double = totalOf(array).average()

    override fun min(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T? {
        var min = Long.MAX_VALUE
        var found = false
        array.forEachInteger { value ->
            min = minOf(min, value)
            found = true
        }
        return if (found) of(min) else null
    }

    override fun max(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T? {
        var max = Long.MIN_VALUE
        var found = false
        array.forEachInteger { value ->
            max = maxOf(max, value)
            found = true
        }
        return if (found) of(max) else null
    }
}

private object UnsignedLongs : Numbers<ULong> {
    override val name = "ULong"

    override fun sum(
        array: ArrayView,
        decoder: Decoder<*>,
    ): ULong? = unsignedTotalOf(array).toULong()

    override fun average(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double = unsignedTotalOf(array).average()

    override fun min(
        array: ArrayView,
        decoder: Decoder<*>,
    ): ULong? {
        var min = ULong.MAX_VALUE
        var found = false
        array.forEachLong { _, value ->
            min = minOf(min, value.toULong())
            found = true
        }
        return if (found) min else null
    }

    override fun max(
        array: ArrayView,
        decoder: Decoder<*>,
    ): ULong? {
        var max = ULong.MIN_VALUE
        var found = false
        array.forEachLong { _, value ->
            max = maxOf(max, value.toULong())
            found = true
        }
        return if (found) max else null
    }
}

private object FloatNumbers : Numbers<Float> {
    override val name = "Float"

    override fun sum(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Float = totalOfFloats(array).sum.toFloat()

    override fun average(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double = totalOfFloats(array).average()

    override fun min(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Float? {
        var min = Float.POSITIVE_INFINITY
        var found = false
        array.forEachFloat { _, value ->
            min = minOf(min, value)
            found = true
        }
        return if (found) min else null
    }

    override fun max(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Float? {
        var max = Float.NEGATIVE_INFINITY
        var found = false
        array.forEachFloat { _, value ->
            max = maxOf(max, value)
            found = true
        }
        return if (found) max else null
    }
}

private object DoubleNumbers : Numbers<Double> {
    override val name = "Double"

    override fun sum(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double = totalOfDoubles(array).sum

    override fun average(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double = totalOfDoubles(array).average()

    override fun min(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double? {
        var min = Double.POSITIVE_INFINITY
        var found = false
        array.forEachDouble { _, value ->
            min = minOf(min, value)
            found = true
        }
        return if (found) min else null
    }

    override fun max(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double? {
        var max = Double.NEGATIVE_INFINITY
        var found = false
        array.forEachDouble { _, value ->
            max = maxOf(max, value)
            found = true
        }
        return if (found) max else null
    }
}

/** Numbers that are objects anyway. */
private class BigNumbers<T : Comparable<T>>(
    override val name: String,
    private val zero: T,
    private val add: (T, T) -> T,
    private val toDecimal: (T) -> BigDecimal,
) : Numbers<T> {
    override fun sum(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T = values(array, decoder).fold(zero, add)

    override fun average(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Double {
        var count = 0L
        val sum = values(array, decoder).onEach { count++ }.fold(zero, add)
        return if (count ==
            0L
        ) {
            Double.NaN
        } else {
            toDecimal(sum).divide(BigDecimal(count), MathContext.DECIMAL128).toDouble()
        }
    }

    override fun min(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T? = values(array, decoder).minOrNull()

    override fun max(
        array: ArrayView,
        decoder: Decoder<*>,
    ): T? = values(array, decoder).maxOrNull()

    // Only the decoder of the type T comes here.
    @Suppress("UNCHECKED_CAST")
    private fun values(
        array: ArrayView,
        decoder: Decoder<*>,
    ): Sequence<T> = Sequence { decoder.iterator(array) as Iterator<T?> }.filterNotNull()
}
