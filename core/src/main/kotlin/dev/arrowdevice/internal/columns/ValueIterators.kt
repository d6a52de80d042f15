package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayView
import dev.arrowdevice.internal.owners.Owners

// Iterators over values without nulls. They are of the standard library's classes for primitive types, so that a loop
// boxes nothing if the compiler sees all of it. A function that does not know the iterator reads a chunk, so that the
// compiler can keep the iterator's fields in registers.

internal class PresentValues<T : Any>(
    private val values: Iterator<T?>,
) : Iterator<T> {
    override fun hasNext(): Boolean = values.hasNext()

    override fun next(): T = checkNotNull(values.next()) { "a value of a column without nulls is null" }
}

/**
 * Reads the range after a chunk of a size: a larger chunk, or a single value if a value can't be read. Returns its size.
 */
private inline fun readBehind(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    read: (size: Int) -> Unit,
): Int {
    if (index >= array.length) throw NoSuchElementException()
    requireLive(array)
    val size = minOf(sizeAfter(lastSize, NUMBERS_AT_ONCE).toLong(), array.length - index).toInt()
    try {
        read(size)
        return size
    } catch (e: RuntimeException) {
        if (size == 1) throw e
        read(1)
        return 1
    }
}

private fun capacityFor(array: ArrayView): Int = minOf(array.length, NUMBERS_AT_ONCE.toLong()).toInt()

internal class IntValues(
    private val array: ArrayView,
) : IntIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private val chunk = IntArray(capacityFor(array))
    private var size = 0
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < size || chunkEnd < length

    override fun nextInt(): Int {
        if (inChunk >= size || !state.looksLive()) {
            val index = chunkEnd - size + inChunk
            size = readInts(array, index, size, chunk)
            chunkEnd = index + size
            inChunk = 0
        }
        return chunk[inChunk++]
    }
}

private fun readInts(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    target: IntArray,
): Int = readBehind(array, index, lastSize) { size -> array.getInts(index, target, 0, size) }

internal class LongValues(
    private val array: ArrayView,
) : LongIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private val chunk = LongArray(capacityFor(array))
    private var size = 0
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < size || chunkEnd < length

    override fun nextLong(): Long {
        if (inChunk >= size || !state.looksLive()) {
            val index = chunkEnd - size + inChunk
            size = readLongs(array, index, size, chunk)
            chunkEnd = index + size
            inChunk = 0
        }
        return chunk[inChunk++]
    }
}

private fun readLongs(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    target: LongArray,
): Int = readBehind(array, index, lastSize) { size -> array.getLongs(index, target, 0, size) }

internal class FloatValues(
    private val array: ArrayView,
) : FloatIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private val chunk = FloatArray(capacityFor(array))
    private var size = 0
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < size || chunkEnd < length

    override fun nextFloat(): Float {
        if (inChunk >= size || !state.looksLive()) {
            val index = chunkEnd - size + inChunk
            size = readFloats(array, index, size, chunk)
            chunkEnd = index + size
            inChunk = 0
        }
        return chunk[inChunk++]
    }
}

private fun readFloats(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    target: FloatArray,
): Int = readBehind(array, index, lastSize) { size -> array.getFloats(index, target, 0, size) }

internal class DoubleValues(
    private val array: ArrayView,
) : DoubleIterator() {
    private val state = Owners.state(array)
    private val length = array.length
    private val chunk = DoubleArray(capacityFor(array))
    private var size = 0
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < size || chunkEnd < length

    override fun nextDouble(): Double {
        if (inChunk >= size || !state.looksLive()) {
            val index = chunkEnd - size + inChunk
            size = readDoubles(array, index, size, chunk)
            chunkEnd = index + size
            inChunk = 0
        }
        return chunk[inChunk++]
    }
}

private fun readDoubles(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    target: DoubleArray,
): Int = readBehind(array, index, lastSize) { size -> array.getDoubles(index, target, 0, size) }
