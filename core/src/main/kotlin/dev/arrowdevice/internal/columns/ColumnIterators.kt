package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayView
import dev.arrowdevice.internal.owners.Owners

/**
 * Iterates over the values of an array by chunks. A chunk is copied within one read of the memory: two atomic
 * operations for a chunk instead of four for a value. Chunks grow, so that a caller who takes only the first value pays
 * for few.
 *
 * A value is returned only while the array is live. An exception of reading a value is thrown when that value is
 * requested, as if each value were read then.
 */
internal abstract class ColumnIterator<T : Any>(
    protected val array: ArrayView,
    private val largestChunk: Int,
) : Iterator<T?> {
    private val length = array.length
    private var chunkStart = 0L
    private var chunkSize = 0
    private var inChunk = 0

    final override fun hasNext(): Boolean = inChunk < chunkSize || chunkStart + chunkSize < length

    final override fun next(): T? {
        if (inChunk == chunkSize || !array.isLive) readChunk()
        return value(inChunk++)
    }

    private fun readChunk() {
        val start = chunkStart + inChunk
        if (start >= length) throw NoSuchElementException()
        requireLive(array)
        val size = minOf(sizeAfter(chunkSize, largestChunk).toLong(), length - start).toInt()
        chunkStart = start
        chunkSize = 0
        inChunk = 0
        chunkSize =
            try {
                read(start, size)
            } catch (e: Throwable) {
                // One of the values can't be read: read them one by one, so that the first such value throws.
                if (size == 1) throw e else read(start, 1)
            }
    }

    /** Copies at least one and at most [count] values, from an index on. Returns how many it has copied. */
    protected abstract fun read(
        index: Long,
        count: Int,
    ): Int

    /** A value of the chunk. */
    protected abstract fun value(inChunk: Int): T?
}

/** Throws in the name of an iterator, not of the getter that it calls, if the array was closed or moved. */
internal fun requireLive(array: ArrayView) {
    val state = Owners.state(array)
    if (!state.looksLive()) {
        state.beginRead("iterator")
        state.endRead()
    }
}

private const val SMALLEST_CHUNK = 8
private const val GROWTH = 4

/** The size of the chunk after one of a size. */
internal fun sizeAfter(
    last: Int,
    largest: Int,
): Int = (last * GROWTH).coerceIn(SMALLEST_CHUNK, largest)

/** The largest chunk of numbers, which are boxed only when they are requested. */
internal const val NUMBERS_AT_ONCE = 1024

/** The largest chunk of objects. */
private const val OBJECTS_AT_ONCE = 128

/** A chunk of objects ends after this many characters, bytes or elements, so that large values are not read ahead. */
private const val ENOUGH = 4096L

internal class NullableObjects<T : Any>(
    array: ArrayView,
    private val decoder: Decoder<T>,
) : ColumnIterator<T>(array, OBJECTS_AT_ONCE) {
    private val values = arrayOfNulls<Any>(minOf(array.length, OBJECTS_AT_ONCE.toLong()).toInt())

    override fun read(
        index: Long,
        count: Int,
    ): Int =
        array.borrow { reader ->
            var read = 0
            var size = 0L
            while (read < count && size < ENOUGH) {
                val value = if (reader.isNull(index + read)) null else decoder.read(reader, index + read)
                values[read++] = value
                size += sizeOf(value)
            }
            read
        }

    private fun sizeOf(value: Any?): Long =
        when (value) {
            is String -> value.length.toLong()
            is ByteArray -> value.size.toLong()
            is Collection<*> -> if (value.firstOrNull() is Number) value.size.toLong() else value.sumOf { sizeOf(it) }
            is Map<*, *> -> sizeOf(value.keys) + sizeOf(value.values)
            else -> 1L
        }

    // Only the decoder writes to this array.
    @Suppress("UNCHECKED_CAST")
    override fun value(inChunk: Int): T? = values[inChunk] as T?
}

/** Iterates over numbers, which are copied by a bulk read. */
internal abstract class NumberIterator<T : Any>(
    array: ArrayView,
) : ColumnIterator<T>(array, NUMBERS_AT_ONCE) {
    protected val capacity = minOf(array.length, NUMBERS_AT_ONCE.toLong()).toInt()
    private val valid = BooleanArray(capacity)
    private var nulls = 0

    final override fun read(
        index: Long,
        count: Int,
    ): Int {
        nulls = array.getValidity(index, valid, 0, count)
        readNumbers(index, count)
        return count
    }

    final override fun value(inChunk: Int): T? = if (nulls == 0 || valid[inChunk]) number(inChunk) else null

    protected abstract fun readNumbers(
        index: Long,
        count: Int,
    )

    protected abstract fun number(inChunk: Int): T
}

internal class NullableInts(
    array: ArrayView,
) : NumberIterator<Int>(array) {
    private val values = IntArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getInts(index, values, 0, count)

    override fun number(inChunk: Int) = values[inChunk]
}

internal class NullableLongs(
    array: ArrayView,
) : NumberIterator<Long>(array) {
    private val values = LongArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getLongs(index, values, 0, count)

    override fun number(inChunk: Int) = values[inChunk]
}

internal class NullableFloats(
    array: ArrayView,
) : NumberIterator<Float>(array) {
    private val values = FloatArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getFloats(index, values, 0, count)

    override fun number(inChunk: Int) = values[inChunk]
}

internal class NullableDoubles(
    array: ArrayView,
) : NumberIterator<Double>(array) {
    private val values = DoubleArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getDoubles(index, values, 0, count)

    override fun number(inChunk: Int) = values[inChunk]
}
