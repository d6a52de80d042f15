package dev.arrowdevice.internal.decoding

import dev.arrowdevice.ArrayView

// Iterators over values of which none is null: of the standard library's classes for primitive types, so that a loop that
// the compiler sees as a whole boxes nothing.

private fun capacity(array: ArrayView): Int = minOf(array.length, NUMBERS_AT_ONCE.toLong()).toInt()

internal class PresentValues<T : Any>(
    private val values: Iterator<T?>,
) : Iterator<T> {
    override fun hasNext(): Boolean = values.hasNext()

    override fun next(): T = checkNotNull(values.next()) { "a value of a column without nulls is null" }
}

internal class IntValues(
    array: ArrayView,
) : IntIterator() {
    private val bulk = array.bulk()
    private val values = IntArray(capacity(array))
    private val cursor =
        BlockCursor(array, NUMBERS_AT_ONCE) { index, count ->
            bulk.getInts(index, values, 0, count)
            count
        }

    override fun hasNext(): Boolean = cursor.hasNext()

    override fun nextInt(): Int = values[cursor.next()]
}

internal class LongValues(
    array: ArrayView,
) : LongIterator() {
    private val bulk = array.bulk()
    private val values = LongArray(capacity(array))
    private val cursor =
        BlockCursor(array, NUMBERS_AT_ONCE) { index, count ->
            bulk.getLongs(index, values, 0, count)
            count
        }

    override fun hasNext(): Boolean = cursor.hasNext()

    override fun nextLong(): Long = values[cursor.next()]
}

internal class FloatValues(
    array: ArrayView,
) : FloatIterator() {
    private val bulk = array.bulk()
    private val values = FloatArray(capacity(array))
    private val cursor =
        BlockCursor(array, NUMBERS_AT_ONCE) { index, count ->
            bulk.getFloats(index, values, 0, count)
            count
        }

    override fun hasNext(): Boolean = cursor.hasNext()

    override fun nextFloat(): Float = values[cursor.next()]
}

internal class DoubleValues(
    array: ArrayView,
) : DoubleIterator() {
    private val bulk = array.bulk()
    private val values = DoubleArray(capacity(array))
    private val cursor =
        BlockCursor(array, NUMBERS_AT_ONCE) { index, count ->
            bulk.getDoubles(index, values, 0, count)
            count
        }

    override fun hasNext(): Boolean = cursor.hasNext()

    override fun nextDouble(): Double = values[cursor.next()]
}
