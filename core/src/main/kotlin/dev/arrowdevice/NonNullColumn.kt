package dev.arrowdevice

/**
 * A column without nulls, made by [Column.requireNoNulls]. It has the members of [Column], with values that are not
 * nullable.
 *
 * A loop over it boxes no [Int], [Long], [Float] or [Double] if the JIT compiler sees the whole loop.
 *
 * @param T the Kotlin type
 */
public class NonNullColumn<T : Any> internal constructor(
    private val column: Column<T>,
) : Iterable<T> {
    /** The column's name for messages. */
    public val name: String get() = column.name

    /** The array itself, for everything else. */
    public val array: ArrayView get() = column.array

    /** The number of values. */
    public val length: Long get() = column.length

    /** The value at an index, from 0. Reading in order is fast, see [ArrayView]. */
    public operator fun get(index: Long): T = column.value(index)

    /** The value at an index, from 0. */
    public operator fun get(index: Int): T = column.value(index.toLong())

    /** See [Column.sum]. */
    public fun sum(): T = column.sum()

    /** See [Column.average]. */
    public fun average(): Double = column.average()

    /** See [Column.minOrNull]; null only if the column is empty. */
    public fun minOrNull(): T? = column.minOrNull()

    /** See [Column.maxOrNull]; null only if the column is empty. */
    public fun maxOrNull(): T? = column.maxOrNull()

    /** A copy of all values. */
    public fun toList(): List<T> = column.toList().requireNoNulls()

    /** Iterates over the values, and reads them a few ahead. It returns no value after the array was closed. */
    override fun iterator(): Iterator<T> = column.valuesNotNull()

    /** The values; see [iterator]. */
    public fun asSequence(): Sequence<T> = Sequence { iterator() }

    /** Name, type and first values. */
    override fun toString(): String = column.toString()
}
