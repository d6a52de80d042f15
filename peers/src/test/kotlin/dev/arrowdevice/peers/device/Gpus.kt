package dev.arrowdevice.peers.device

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.peers.ArrayStruct
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.imported
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceEvent
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry
import io.kotest.matchers.collections.shouldBeEmpty

/**
 * A simulated device for a test without mistakes. At the end everything was released, the C peer's structs included.
 */
internal inline fun withGpu(
    builder: SimulatedDevice.Builder = SimulatedDevice.builder(0),
    body: SimulatedDevice.() -> Unit,
) = ReleaseBalance.start(CPeer.load()).use { builder.open().use { it.body() } }

/** Failures of releases are what the test causes, so they are not printed. */
internal inline fun withoutReports(body: () -> Unit) {
    val before = Diagnostics.onLateFailure { }
    try {
        body()
    } finally {
        Diagnostics.onLateFailure(before)
    }
}

internal val SimulatedDevice.queue: DeviceQueue get() = runtime().defaultQueue

/** Runs the block while the default queue is paused, and resumes the queue, even after a failure. */
internal fun <T> SimulatedDevice.whilePaused(
    queue: DeviceQueue = this.queue,
    body: () -> T,
): T {
    pause(queue)
    return try {
        body()
    } finally {
        resume(queue)
    }
}

/** How often an operation was called, or done by a queue, while something ran. */
internal fun SimulatedDevice.count(
    operation: Operation,
    body: () -> Unit,
): Int {
    fun count() = trace().count { it.operation() == operation && it.phase() == TraceEntry.Phase.CALLED }
    val before = count()
    body()
    return count() - before
}

/** All values as text, as the C peer reads them. The array is moved. */
internal fun Structs.rendered(array: DeviceArray): String {
    val out = array()
    val schema = schema()
    array.use { ArrowExport.exportArray(it, CStruct.arrayAt(out), CStruct.schemaAt(schema)) }
    val text = peer.renderArray(schema, out)
    peer.complaints(schema, out, true, false).shouldBeEmpty()
    peer.releaseArray(out)
    peer.releaseSchema(schema)
    return text
}

/** The C peer's text of a copy on the host. */
internal fun Structs.renderedCopy(view: ArrayView): String = rendered(view.copyTo(Device.CPU))

/** A foreign producer on a device: the C peer's structs, with the buffers moved to the device on a queue, and an event. */
internal class ForeignProducer(
    private val gpu: SimulatedDevice,
    private val structs: Structs,
) : AutoCloseable {
    val queue: DeviceQueue = gpu.runtime().createQueue()
    private val buffers = mutableListOf<DeviceBuffer>()
    private val events = mutableListOf<DeviceEvent>()

    /** The addresses of an `ArrowDeviceArray` and its `ArrowSchema`, and what the peer reads of the same on the CPU. */
    class Produced(
        val array: Long,
        val schema: Long,
        val text: String,
    )

    fun produce(
        field: PeerField,
        options: PeerOptions,
        change: (ArrayStruct) -> Unit = {},
    ): Produced {
        val schema = structs.produceSchema(field)
        val address = structs.deviceArray()
        structs.peer.produceArray(schema.address, options, address)
        val text = structs.peer.renderArray(schema.address, address)
        structs.imported(field, options).use { move(ArrayStruct(address), it.data) }
        change(ArrayStruct(address))
        val event = gpu.runtime().record(queue).also(events::add)
        NativeMemory.putLong(address + DEVICE_ID, gpu.device().id())
        NativeMemory.putInt(address + DEVICE_TYPE, gpu.device().type())
        NativeMemory.putLong(address + SYNC_EVENT, event.syncEvent)
        return Produced(address, schema.address, text)
    }

    /** Puts buffers of the device in place of the struct's; `sizes` is an array of the same form. */
    private fun move(
        struct: ArrayStruct,
        sizes: ArrayData,
    ) {
        for (i in 0 until sizes.bufferCount) {
            val size = sizes.buffer(i)?.byteSize ?: 0
            if (struct.buffer(i) != 0L) struct.buffer(i, moved(struct.buffer(i), if (sizes.length == 0L) 0 else size))
        }
        for (i in 0 until sizes.childCount) move(struct.child(i), sizes.child(i))
        sizes.dictionary?.let { move(struct.dictionary(), it) }
    }

    private fun moved(
        address: Long,
        byteSize: Long,
    ): Long {
        val source = DeviceBuffer.ofAddress(Device.CPU, address, byteSize, ReferenceCounted.nothing())
        val target = gpu.runtime().allocate(byteSize).also(buffers::add)
        gpu.runtime().copyAsync(source, 0, target, 0, byteSize, queue)
        return target.address
    }

    override fun close() {
        gpu.resume(queue) // A test that fails in between fails, and does not hang.
        queue.synchronize()
        events.forEach { it.close() }
        buffers.forEach { it.owner.release() }
        queue.close()
    }

    private companion object {
        const val DEVICE_ID = 80
        const val DEVICE_TYPE = 88
        const val SYNC_EVENT = 96
    }
}
