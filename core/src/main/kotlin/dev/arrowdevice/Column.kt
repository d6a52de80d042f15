package dev.arrowdevice

import dev.arrowdevice.internal.decoding.Decoder
import dev.arrowdevice.internal.decoding.decoderOf
import dev.arrowdevice.internal.decoding.kotlinNamesOf
import kotlin.reflect.KType
import kotlin.reflect.typeOf

/**
 * An array seen as values of a Kotlin type. A face of the same memory: it is valid as long as the batch or array that it
 * came from is open, and throws [IllegalStateException] afterwards.
 *
 * The members here are convenient and box each value. For [Int], [Long], [Float] and [Double] the extensions
 * [sum], [min], [max], [mean], [forEachValue] and `toIntArray` … run over the memory and box nothing.
 *
 * @param T the Kotlin type; nulls of the array are nulls of the column
 * @property name the column's name, as messages show it
 * @property array the array itself, for everything else
 */
public class Column<T : Any> internal constructor(
    public val name: String,
    public val array: ArrayView,
    private val decoder: Decoder<T>,
) : Iterable<T?> {
    /** The number of values, nulls included. */
    public val length: Long get() = array.length

    /** Whether the value at an index, from 0, is null. */
    public fun isNull(index: Long): Boolean = array.isNull(index)

    /** The value at an index, from 0, or null. */
    public operator fun get(index: Long): T? = if (array.isNull(index)) null else decoder.get(array, index)

    /** The value at an index, from 0, or null. */
    public operator fun get(index: Int): T? = get(index.toLong())

    /** All values, as a copy. */
    public fun toList(): List<T?> {
        check(length <= Int.MAX_VALUE) { "column \"$name\" has $length values, which are too many for a list" }
        return array.borrow { reader ->
            List(
                reader.length.toInt(),
            ) { if (reader.isNull(it.toLong())) null else decoder.read(reader, it.toLong()) }
        }
    }

    /** Goes over the values, which are read a few ahead; none is given once the array has been closed. */
    override fun iterator(): Iterator<T?> = decoder.iterator(array)

    /** The values; see [iterator]. */
    public fun asSequence(): Sequence<T?> = Sequence { iterator() }

    /** Name, type and first values. */
    override fun toString(): String = "$name: $array"
}

/**
 * The first column of a name as values of a Kotlin type: the one that stands for its type (see [arrowTypeOf]), or a
 * wider one that holds every value exactly (an int32 column as [Long]); of temporal types also the raw [Int] or [Long].
 * Dictionary and run-end encoded columns are read through. The column is borrowed from the batch.
 *
 * @throws IllegalArgumentException if there is no such column, or [T] does not fit it; the message names those that do
 */
public inline fun <reified T : Any> RecordBatch.column(name: String): Column<T> =
    columnOf(column(name), name, typeOf<T>())

/**
 * The column of an index, from 0, as values of a Kotlin type; see [column].
 *
 * @throws IndexOutOfBoundsException if there is no such column
 */
public inline fun <reified T : Any> RecordBatch.column(index: Int): Column<T> =
    columnOf(column(index), schema.field(index).name(), typeOf<T>())

/** The array as values of a Kotlin type; see [column]. */
public inline fun <reified T : Any> ArrayView.asColumn(name: String = ""): Column<T> = columnOf(this, name, typeOf<T>())

@PublishedApi
internal fun <T : Any> columnOf(
    array: ArrayView,
    name: String,
    type: KType,
): Column<T> {
    val decoder =
        requireNotNull(decoderOf(type, array.type)) {
            "column \"$name\" of type ${array.type} has no values of type ${nameOf(type)}; " +
                "the types that fit are ${kotlinNamesOf(array.type).joinToString()}"
        }
    // The decoder was chosen by the type itself.
    @Suppress("UNCHECKED_CAST")
    return Column(name, array, decoder as Decoder<T>)
}
