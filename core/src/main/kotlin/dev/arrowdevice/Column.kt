package dev.arrowdevice

import dev.arrowdevice.internal.columns.Decoder
import dev.arrowdevice.internal.columns.Numbers
import dev.arrowdevice.internal.columns.largest
import dev.arrowdevice.internal.columns.smallest
import dev.arrowdevice.internal.columns.widerThan
import dev.arrowdevice.internal.reading.ValueReader
import dev.arrowdevice.internal.type.Brief

/**
 * An array read as values of a Kotlin type. A column is a view: it is valid as long as the batch or array that it came
 * from is open, and throws [IllegalStateException] afterwards.
 *
 * [sum], [average], [minOrNull] and [maxOrNull] skip nulls. So do the extensions [forEachValue] and
 * [forEachValueIndexed] for [Int], [Long], [Float] and [Double]. None of these boxes a value, nor do `toIntArray` and
 * the like. The other members box each value.
 *
 * @param T the Kotlin type; nulls of the array are nulls of the column
 * @property name the column's name for messages; empty for an array that is not in a batch
 * @property array the array itself, for everything else. For a field of a struct, this is the field without the nulls
 * of the struct
 */
public class Column<T : Any> internal constructor(
    public val name: String,
    public val array: ArrayView,
    // The array that is read: [array], or for a field of a struct a view of it that has the nulls of the struct too.
    @PublishedApi internal val view: ArrayView,
    private val decoder: Decoder<T>,
    private val numbers: Numbers<T>?,
) : Iterable<T?> {
    /** The number of values, nulls included. */
    public val length: Long get() = array.length

    /** Whether the value at an index, from 0, is null. */
    public fun isNull(index: Long): Boolean = view.isNull(index)

    /** The value at an index, from 0, or null. Reading in order is fast, see [ArrayView]. */
    public operator fun get(index: Long): T? = if (view.isNull(index)) null else decoder.get(view, index)

    /** The value at an index, from 0, or null. */
    public operator fun get(index: Int): T? = get(index.toLong())

    /**
     * The sum of the values that are not null; zero if there are none. Integers and decimals are added exactly.
     * Floating-point numbers are added as [Double]; a sum of [Float] is rounded once, at the end.
     *
     * @throws ArithmeticException if the sum does not fit [T]; the message names a wider type to read the column as
     * @throws UnsupportedOperationException if the values are no numbers
     */
    public fun sum(): T {
        val numbers = numbers("sum")
        view.checkReadable("sum")
        return numbers.sum(view, decoder) ?: throw ArithmeticException(tooLarge())
    }

    /**
     * The mean of the values that are not null; [Double.NaN] if there are none. For integers it is computed from the
     * exact sum.
     *
     * @throws UnsupportedOperationException if the values are no numbers
     */
    public fun average(): Double {
        val numbers = numbers("average")
        view.checkReadable("average")
        return numbers.average(view, decoder)
    }

    /**
     * The smallest value that is not null, or null if there is none. NaN if any value is NaN.
     *
     * @throws UnsupportedOperationException if the values have no order
     */
    public fun minOrNull(): T? {
        view.checkReadable("minOrNull")
        return if (numbers == null) smallest(this, what()) else numbers.min(view, decoder)
    }

    /**
     * The largest value that is not null, or null if there is none. NaN if any value is NaN.
     *
     * @throws UnsupportedOperationException if the values have no order
     */
    public fun maxOrNull(): T? {
        view.checkReadable("maxOrNull")
        return if (numbers == null) largest(this, what()) else numbers.max(view, decoder)
    }

    /**
     * Returns this column as one whose values are not null.
     *
     * @throws IllegalArgumentException if there is a null; the message has the column and the index of the first null
     */
    public fun requireNoNulls(): NonNullColumn<T> {
        view.checkReadable("requireNoNulls")
        array.nullCount // Counts the nulls once, so that a column without any is not searched.
        val first = view.borrow("requireNoNulls") { (it as ValueReader).firstNull() }
        require(first < 0) {
            "the value of ${what()} at index $first is null; leave requireNoNulls() out to read nulls"
        }
        return NonNullColumn(this)
    }

    /** A copy of all values. */
    public fun toList(): List<T?> {
        check(length <= Int.MAX_VALUE) { "${what()} has $length values, too many for a list" }
        return view.borrow("toList") { reader ->
            List(
                reader.length.toInt(),
            ) { if (reader.isNull(it.toLong())) null else decoder.read(reader, it.toLong()) }
        }
    }

    /** Iterates over the values, and reads them a few ahead. It returns no value after the array was closed. */
    override fun iterator(): Iterator<T?> = decoder.iterator(view)

    /** The values; see [iterator]. */
    public fun asSequence(): Sequence<T?> = Sequence { iterator() }

    /** Name, type and first values. */
    override fun toString(): String = if (name.isEmpty()) view.toString() else "$name: $view"

    internal fun value(index: Long): T = decoder.get(view, index)

    internal fun valuesNotNull(): Iterator<T> = decoder.valuesNotNull(view)

    private fun numbers(verb: String): Numbers<T> =
        numbers ?: throw UnsupportedOperationException("$verb: the values of ${what()} are not numbers")

    private fun tooLarge(): String {
        val wider = widerThan(numbers, array.type)
        val name = if (name.isEmpty()) "" else "\"$name\""
        val advice = if (wider == null) "add the values as BigInteger" else "read it as values<$wider>($name)"
        return "the sum of ${what()} does not fit ${numbers?.name}; $advice"
    }

    private fun what(): String = columnText(name, array.type)
}

/** Throws, in the name of an operation, if the values can't be read; so that no part of the operation throws in its own. */
@PublishedApi
internal fun ArrayView.checkReadable(operation: String) {
    borrow(operation) { }
}

internal fun columnText(
    name: String,
    type: ArrowType,
): String =
    if (name.isEmpty()) {
        "an array of type ${Brief.type(type)}"
    } else {
        "column ${Brief.quoted(name)} of type ${Brief.type(type)}"
    }
