package dev.arrowdevice.arrowjava

import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.BufferKind
import dev.arrowdevice.spi.DeviceBuffer
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.ForeignAllocation
import org.apache.arrow.vector.dictionary.DictionaryProvider

/**
 * The memory of an array of ours as one allocation of Arrow Java, which counts its bytes once and keeps a share of it.
 * The share is closed with the last buffer, on the thread that closes that one.
 */
internal class LentMemory private constructor(
    bytes: Long,
    address: Long,
    private val share: AutoCloseable,
) : ForeignAllocation(bytes, address) {
    override fun release0() = share.close()

    companion object {
        /**
         * Lends the memory of arrays to an allocator, and loads vectors with it. Closes the share at once if that
         * fails, and otherwise with the last buffer.
         *
         * @param share an owner of the arrays, which this closes
         */
        fun load(
            arrays: List<ArrayData>,
            share: AutoCloseable,
            allocator: BufferAllocator,
            dictionaries: DictionaryProvider?,
            load: (VectorLoading) -> Unit,
        ) {
            val extent = Extent()
            val memory =
                try {
                    for (array in arrays) {
                        if (!array.isHostReadable) throw UnreadableDeviceException(array.device)
                        extent.add(array)
                    }
                    allocator.wrapForeignAllocation(LentMemory(extent.bytes, extent.address, share))
                } catch (e: Throwable) {
                    share.close()
                    throw e
                }
            memory.use {
                Copies(allocator, extent.bitmapBytes).use { load(VectorLoading(memory, it, dictionaries)) }
            }
        }
    }
}

/** The bytes of the buffers that vectors see of arrays. */
private class Extent {
    var bytes = 0L
        private set
    var address = 0L
        private set

    /** The bytes of the validity bits that arrays do not have, and vectors do. */
    var bitmapBytes = 0L
        private set

    fun add(data: ArrayData) {
        val storage = data.type.storageType()
        val layout = storage.layout()
        if (layout.hasValidity() && data.validity == null) bitmapBytes += Copies.bitmapBytes(data.length)
        for (i in 0 until data.bufferCount) {
            val buffer = data.buffer(i) ?: continue
            val kind = if (i < layout.bufferCount()) layout.buffers()[i] else BufferKind.VARIABLE
            val whole = kind == BufferKind.VARIABLE
            add(buffer, if (whole) buffer.byteSize else Ranges.byteSize(kind, storage, data.length))
        }
        for (i in 0 until data.childCount) {
            add(data.seenChild(i))
        }
        data.dictionary?.let(::add)
    }

    private fun add(
        buffer: DeviceBuffer,
        byteSize: Long,
    ) {
        bytes += byteSize
        if (address == 0L) address = buffer.address
    }
}
