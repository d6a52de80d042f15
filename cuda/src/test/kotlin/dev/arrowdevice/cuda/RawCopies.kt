package dev.arrowdevice.cuda

/** The driver's own copies of a number of bytes, each until it is done, between memory that is there. */
internal class RawCopies(
    private val raw: RawCuda,
    private val byteSize: Long,
) : AutoCloseable {
    private val queue = raw.gpu.createQueue()
    private val device = RawMemory.DEVICE.allocate(raw, byteSize, queue.handle)
    private val pinned = RawMemory.PINNED.allocate(raw, byteSize, queue.handle)
    private val plain = RawMemory.PLAIN.allocate(raw, byteSize, queue.handle)

    fun toDeviceFromPinned() = toDevice(pinned)

    /** `cuMemcpyHtoD` is this on the default stream, and a wait. */
    fun toDeviceFromPlain() = toDevice(plain)

    fun toPinned() = toHost(pinned)

    fun toPlain() = toHost(plain)

    private fun toDevice(source: Long) {
        raw.run("cuMemcpyHtoDAsync") { raw.api.cuMemcpyHtoDAsync(device, source, byteSize, queue.handle) }
        queue.synchronize()
    }

    private fun toHost(target: Long) {
        raw.run("cuMemcpyDtoHAsync") { raw.api.cuMemcpyDtoHAsync(target, device, byteSize, queue.handle) }
        queue.synchronize()
    }

    override fun close() {
        RawMemory.DEVICE.free(raw, device, queue.handle)
        RawMemory.PINNED.free(raw, pinned, queue.handle)
        RawMemory.PLAIN.free(raw, plain, queue.handle)
        queue.close()
    }
}
