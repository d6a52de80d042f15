package dev.arrowdevice

/**
 * A column without nulls, made by [Column.requireNoNulls]: the same face, whose values are not nullable.
 *
 * A loop over it boxes no [Int], [Long], [Float] or [Double] where the compiler at run time sees the whole loop.
 *
 * @param T the Kotlin type
 */
public class NonNullColumn<T : Any> internal constructor(
    private val column: Column<T>,
) : Iterable<T> {
    /** The column's name, as messages show it. */
    public val name: String get() = column.name

    /** The array itself, for everything else. */
    public val array: ArrayView get() = column.array

    /** The number of values. */
    public val length: Long get() = column.length

    /** The value at an index, from 0. In order this is quick, see [ArrayView]. */
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

    /** All values, as a copy. */
    public fun toList(): List<T> = column.toList().requireNoNulls()

    /** Goes over the values, which are read a few ahead; none is given once the array has been closed. */
    override fun iterator(): Iterator<T> = column.valuesNotNull()

    /** The values; see [iterator]. */
    public fun asSequence(): Sequence<T> = Sequence { iterator() }

    /** Name, type and first values. */
    override fun toString(): String = column.toString()
}
