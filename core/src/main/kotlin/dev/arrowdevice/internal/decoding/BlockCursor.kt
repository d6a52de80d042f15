package dev.arrowdevice.internal.decoding

import dev.arrowdevice.ArrayView

private const val SMALLEST_BLOCK = 8
private const val GROWTH = 4

/**
 * Where an iterator stands in an array of which it copies one block after the other.
 *
 * @param read copies at least one and at most so many values from an index on; gives how many
 */
internal class BlockCursor(
    private val array: ArrayView,
    private val largestBlock: Int,
    private val read: (index: Long, count: Int) -> Int,
) {
    private val length = array.length
    private var blockStart = 0L
    private var blockSize = 0
    private var inBlock = 0

    fun hasNext(): Boolean = inBlock < blockSize || blockStart + blockSize < length

    /** Where the next value stands in the block. */
    fun next(): Int {
        if (inBlock == blockSize || !array.isLive) readBlock()
        return inBlock++
    }

    private fun readBlock() {
        val start = blockStart + inBlock
        if (start >= length) throw NoSuchElementException()
        val size = minOf((blockSize * GROWTH).coerceIn(SMALLEST_BLOCK, largestBlock).toLong(), length - start).toInt()
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
}
