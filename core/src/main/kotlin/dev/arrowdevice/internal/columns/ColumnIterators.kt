package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayView

/**
 * Goes over the values of an array by blocks, each copied while the memory is held once: two atomic operations for a
 * block instead of four for a value. Blocks grow, so that who takes only the first value pays for few.
 *
 * A value is given only while the array is live, and what reading it throws is thrown when its turn has come, as if each
 * value were read when it is asked for.
 */
internal abstract class ColumnIterator<T : Any>(
    protected val array: ArrayView,
    private val largestBlock: Int,
) : Iterator<T?> {
    private val length = array.length
    private var blockStart = 0L
    private var blockSize = 0
    private var inBlock = 0

    final override fun hasNext(): Boolean = inBlock < blockSize || blockStart + blockSize < length

    final override fun next(): T? {
        if (inBlock == blockSize || !array.isLive) readBlock()
        return value(inBlock++)
    }

    private fun readBlock() {
        val start = blockStart + inBlock
        if (start >= length) throw NoSuchElementException()
        val size = minOf(sizeAfter(blockSize, largestBlock).toLong(), length - start).toInt()
        blockStart = start
        blockSize = 0
        inBlock = 0
        blockSize =
            try {
                read(start, size)
            } catch (e: Throwable) {
                // One of the values, or all: by itself, the first one shows.
                if (size == 1) throw e else read(start, 1)
            }
    }

    /** Copies at least one and at most [count] values from an index on; gives how many. */
    protected abstract fun read(
        index: Long,
        count: Int,
    ): Int

    /** A value of the block. */
    protected abstract fun value(inBlock: Int): T?
}

private const val SMALLEST_BLOCK = 8
private const val GROWTH = 4

/** The size of the block after one of some size. */
internal fun sizeAfter(
    last: Int,
    largest: Int,
): Int = (last * GROWTH).coerceIn(SMALLEST_BLOCK, largest)

/** The largest block of numbers, which are boxed only when they are asked for. */
internal const val NUMBERS_AT_ONCE = 1024

/** The largest block of objects. */
private const val OBJECTS_AT_ONCE = 128

/** A block of objects ends behind this many characters, bytes or elements: large ones are not read ahead. */
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

    // The decoder wrote it there.
    @Suppress("UNCHECKED_CAST")
    override fun value(inBlock: Int): T? = values[inBlock] as T?
}

/** Numbers of ranges that the array copies. */
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

    final override fun value(inBlock: Int): T? = if (nulls == 0 || valid[inBlock]) number(inBlock) else null

    protected abstract fun readNumbers(
        index: Long,
        count: Int,
    )

    protected abstract fun number(inBlock: Int): T
}

internal class NullableInts(
    array: ArrayView,
) : NumberIterator<Int>(array) {
    private val values = IntArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getInts(index, values, 0, count)

    override fun number(inBlock: Int) = values[inBlock]
}

internal class NullableLongs(
    array: ArrayView,
) : NumberIterator<Long>(array) {
    private val values = LongArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getLongs(index, values, 0, count)

    override fun number(inBlock: Int) = values[inBlock]
}

internal class NullableFloats(
    array: ArrayView,
) : NumberIterator<Float>(array) {
    private val values = FloatArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getFloats(index, values, 0, count)

    override fun number(inBlock: Int) = values[inBlock]
}

internal class NullableDoubles(
    array: ArrayView,
) : NumberIterator<Double>(array) {
    private val values = DoubleArray(capacity)

    override fun readNumbers(
        index: Long,
        count: Int,
    ) = array.getDoubles(index, values, 0, count)

    override fun number(inBlock: Int) = values[inBlock]
}
