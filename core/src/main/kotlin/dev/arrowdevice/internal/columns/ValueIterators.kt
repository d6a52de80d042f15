package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayView
import dev.arrowdevice.internal.owners.Owners

// Iterators over values of which none is null: of the standard library's classes for primitive types, so that a loop that
// the compiler sees as a whole boxes nothing. A block is read by a function that does not know the iterator, so that the
// compiler can keep the iterator's fields in registers.

internal class PresentValues<T : Any>(
    private val values: Iterator<T?>,
) : Iterator<T> {
    override fun hasNext(): Boolean = values.hasNext()

    override fun next(): T = checkNotNull(values.next()) { "a value of a column without nulls is null" }
}

/** What [read] gives of a range behind a block of some size: a larger one, or a single value if one can't be read. */
private inline fun <A> readBehind(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    read: (size: Int) -> A,
): A {
    if (index >= array.length) throw NoSuchElementException()
    val size = minOf(sizeAfter(lastSize, NUMBERS_AT_ONCE).toLong(), array.length - index).toInt()
    return try {
        read(size)
    } catch (e: RuntimeException) {
        if (size == 1) throw e else read(1)
    }
}

internal class IntValues(
    private val array: ArrayView,
) : IntIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private var block = IntArray(0)
    private var inBlock = 0
    private var blockEnd = 0L

    override fun hasNext(): Boolean = inBlock < block.size || blockEnd < length

    override fun nextInt(): Int {
        if (inBlock >= block.size || !state.looksLive()) {
            val index = blockEnd - block.size + inBlock
            block = readInts(array, index, block.size)
            blockEnd = index + block.size
            inBlock = 0
        }
        return block[inBlock++]
    }
}

private fun readInts(
    array: ArrayView,
    index: Long,
    lastSize: Int,
): IntArray = readBehind(array, index, lastSize) { size -> IntArray(size).also { array.getInts(index, it, 0, size) } }

internal class LongValues(
    private val array: ArrayView,
) : LongIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private var block = LongArray(0)
    private var inBlock = 0
    private var blockEnd = 0L

    override fun hasNext(): Boolean = inBlock < block.size || blockEnd < length

    override fun nextLong(): Long {
        if (inBlock >= block.size || !state.looksLive()) {
            val index = blockEnd - block.size + inBlock
            block = readLongs(array, index, block.size)
            blockEnd = index + block.size
            inBlock = 0
        }
        return block[inBlock++]
    }
}

private fun readLongs(
    array: ArrayView,
    index: Long,
    lastSize: Int,
): LongArray =
    readBehind(array, index, lastSize) { size -> LongArray(size).also { array.getLongs(index, it, 0, size) } }

internal class FloatValues(
    private val array: ArrayView,
) : FloatIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private var block = FloatArray(0)
    private var inBlock = 0
    private var blockEnd = 0L

    override fun hasNext(): Boolean = inBlock < block.size || blockEnd < length

    override fun nextFloat(): Float {
        if (inBlock >= block.size || !state.looksLive()) {
            val index = blockEnd - block.size + inBlock
            block = readFloats(array, index, block.size)
            blockEnd = index + block.size
            inBlock = 0
        }
        return block[inBlock++]
    }
}

private fun readFloats(
    array: ArrayView,
    index: Long,
    lastSize: Int,
): FloatArray =
    readBehind(array, index, lastSize) { size -> FloatArray(size).also { array.getFloats(index, it, 0, size) } }

internal class DoubleValues(
    private val array: ArrayView,
) : DoubleIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private var block = DoubleArray(0)
    private var inBlock = 0
    private var blockEnd = 0L

    override fun hasNext(): Boolean = inBlock < block.size || blockEnd < length

    override fun nextDouble(): Double {
        if (inBlock >= block.size || !state.looksLive()) {
            val index = blockEnd - block.size + inBlock
            block = readDoubles(array, index, block.size)
            blockEnd = index + block.size
            inBlock = 0
        }
        return block[inBlock++]
    }
}

private fun readDoubles(
    array: ArrayView,
    index: Long,
    lastSize: Int,
): DoubleArray =
    readBehind(
        array,
        index,
        lastSize,
    ) { size -> DoubleArray(size).also { array.getDoubles(index, it, 0, size) } }
