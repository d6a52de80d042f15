package dev.arrowdevice.arrowjava

import dev.arrowdevice.spi.DeviceBuffer
import org.apache.arrow.memory.ArrowBuf
import org.apache.arrow.memory.BufferAllocator

/**
 * Buffers that are copied for vectors, in the memory of an allocator, which counts them. Closing releases what only the
 * loading needed: the vectors have references of their own.
 *
 * @param bitmapBytes the bytes of all that [ones] returns
 */
internal class Copies(
    private val allocator: BufferAllocator,
    private val bitmapBytes: Long,
) : AutoCloseable {
    private var made: MutableList<ArrowBuf>? = null
    private var bitmaps: ArrowBuf? = null
    private var used = 0L

    /** A buffer of no bytes. */
    val empty: ArrowBuf = allocator.empty

    /** Validity bits of values that are not null. All of these are in one allocation, and no two in the same bytes. */
    fun ones(length: Long): ArrowBuf {
        if (length == 0L) return empty
        val all = bitmaps ?: allocate(bitmapBytes).also { it.setOne(0, bitmapBytes) }
        bitmaps = all
        val byteSize = (length + Byte.SIZE_BITS - 1) / Byte.SIZE_BITS
        val part = ArrowBuf(all.referenceManager, null, byteSize, all.memoryAddress() + used)
        part.writerIndex(byteSize)
        used += bitmapBytes(length)
        check(used <= bitmapBytes) { "$used bytes of bitmaps where $bitmapBytes were counted" }
        return part
    }

    private fun allocate(byteSize: Long): ArrowBuf {
        val buffer = allocator.buffer(byteSize)
        (made ?: ArrayList<ArrowBuf>().also { made = it }) += buffer
        return buffer
    }

    /** A buffer of these bytes, which is closed with this. */
    fun make(
        byteSize: Long,
        bytes: ByteArray,
    ): ArrowBuf {
        if (byteSize == 0L) return empty
        val buffer = allocate(byteSize)
        buffer.setBytes(0, bytes)
        buffer.writerIndex(byteSize)
        return buffer
    }

    /** The bits of a range, from the first bit of the first byte on. */
    fun bits(
        source: DeviceBuffer,
        offset: Long,
        length: Long,
    ): ArrowBuf {
        val memory = source.memory()
        val first = offset / Byte.SIZE_BITS
        val shift = (offset % Byte.SIZE_BITS).toInt()
        val last = (offset + length - 1) / Byte.SIZE_BITS
        val bytes = ByteArray(((length + Byte.SIZE_BITS - 1) / Byte.SIZE_BITS).toInt())
        for (i in bytes.indices) {
            val low = memory.getByte(first + i).toInt() and BYTE ushr shift
            val high = if (first + i < last) memory.getByte(first + i + 1).toInt() shl Byte.SIZE_BITS - shift else 0
            bytes[i] = (low or high).toByte()
        }
        return make(bytes.size.toLong(), bytes)
    }

    override fun close() {
        made?.forEach(ArrowBuf::close)
    }

    companion object {
        private const val BYTE = 255

        /** The size of a bitmap of [length] values, in bytes. It is a multiple of 8. */
        fun bitmapBytes(length: Long): Long = (length + Long.SIZE_BITS - 1) / Long.SIZE_BITS * Long.SIZE_BYTES
    }
}
