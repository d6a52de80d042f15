package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.Device
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.ReferenceCounted
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** Native buffers for one tree of arrays, and the one owner of all of them. */
internal class Memory {
    private val owners = mutableListOf<ReferenceCounted>()

    /** A buffer of exactly these bytes. It begins [misalignment] bytes after a 64-byte boundary. */
    fun buffer(
        bytes: ByteArray,
        misalignment: Int = 0,
    ): DeviceBuffer {
        val allocated = CpuRuntime.INSTANCE.allocate(bytes.size.toLong() + misalignment)
        owners += allocated.owner
        allocated.memory().put(misalignment.toLong(), bytes, 0, bytes.size)
        // Before Java 22 memory has no address, and nothing to export it by either.
        if (Runtime.version().feature() < 22) return allocated.slice(misalignment.toLong(), bytes.size.toLong())
        return DeviceBuffer.ofAddress(
            Device.CPU,
            allocated.address + misalignment,
            bytes.size.toLong(),
            allocated.owner,
        )
    }

    /** The owner of all buffers so far, with one reference, which is the caller's. */
    fun owner(): ReferenceCounted = ReferenceCounted.all(*owners.toTypedArray())
}

/** Room for bytes, in the machine's byte order. */
internal fun nativeBytes(size: Int): ByteBuffer = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder())
