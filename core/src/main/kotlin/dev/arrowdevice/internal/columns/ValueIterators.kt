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

/** Reads the range after a chunk of a size: a larger chunk, or a single value if a value can't be read. */
private inline fun <A> readBehind(
    array: ArrayView,
    index: Long,
    lastSize: Int,
    read: (size: Int) -> A,
): A {
    if (index >= array.length) throw NoSuchElementException()
    requireLive(array)
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
    private var chunk = IntArray(0)
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < chunk.size || chunkEnd < length

    override fun nextInt(): Int {
        if (inChunk >= chunk.size || !state.looksLive()) {
            val index = chunkEnd - chunk.size + inChunk
            chunk = readInts(array, index, chunk.size)
            chunkEnd = index + chunk.size
            inChunk = 0
        }
        return chunk[inChunk++]
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
    private var chunk = LongArray(0)
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < chunk.size || chunkEnd < length

    override fun nextLong(): Long {
        if (inChunk >= chunk.size || !state.looksLive()) {
            val index = chunkEnd - chunk.size + inChunk
            chunk = readLongs(array, index, chunk.size)
            chunkEnd = index + chunk.size
            inChunk = 0
        }
        return chunk[inChunk++]
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
    private var chunk = FloatArray(0)
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < chunk.size || chunkEnd < length

    override fun nextFloat(): Float {
        if (inChunk >= chunk.size || !state.looksLive()) {
            val index = chunkEnd - chunk.size + inChunk
            chunk = readFloats(array, index, chunk.size)
            chunkEnd = index + chunk.size
            inChunk = 0
        }
        return chunk[inChunk++]
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
    private var chunk = DoubleArray(0)
    private var inChunk = 0
    private var chunkEnd = 0L

    override fun hasNext(): Boolean = inChunk < chunk.size || chunkEnd < length

    override fun nextDouble(): Double {
        if (inChunk >= chunk.size || !state.looksLive()) {
            val index = chunkEnd - chunk.size + inChunk
            chunk = readDoubles(array, index, chunk.size)
            chunkEnd = index + chunk.size
            inChunk = 0
        }
        return chunk[inChunk++]
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
