package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.recordBatch
import dev.arrowdevice.rocm.rocm
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DriverRuntime
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.Library
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.channels.ReadableByteChannel
import java.time.Duration

/** Bytes of a channel go to a GPU by pinned memory, in the order of a queue, and never lie on the heap. */
class GpuTest :
    FunSpec({
        nameSimulatedLibraries()

        test(
            "a batch is on its way to the GPU when it is returned: the bodies were read into pinned memory, once, and nothing has waited",
        ) {
            ReleaseBalance.start().use {
                SimulatedDevice.open(0).use { gpu ->
                    val queue = gpu.runtime().defaultQueue

                    fun calls(operation: Operation) =
                        gpu.trace().count {
                            it.operation() == operation &&
                                it.phase() == Phase.CALLED
                        }
                    // Small buffers would go together by one more piece of pinned memory.
                    recordBatch { column<Long>("id") { addAll(0L until 20_000L) } }.use { batch ->
                        val channel = Watched(streamOf(batch, batch)) { gpu.runtime().allocationOf(it) != null }
                        arrowStream(channel, IpcReadOptions.defaults().withDevice(gpu.device())).use { reader ->
                            gpu.pause(queue)
                            val read =
                                try {
                                    val read = List(2) { reader.nextBatch()!! }
                                    read.forEach { it.readyEvent.shouldNotBeNull().isComplete() shouldBe false }
                                    calls(Operation.ALLOCATE_STAGING) shouldBe 2
                                    calls(Operation.AWAIT) + calls(Operation.SYNCHRONIZE) shouldBe 0
                                    read
                                } finally {
                                    gpu.resume(queue)
                                }
                            read.forEach { sameOn(gpu.device(), it, batch) }
                        }
                        channel.largestOnHeap shouldBeLessThan 2_000
                    }
                }
            }
        }

        test("a stream and a file are read to a GPU of the simulated CUDA driver, by a queue of the caller") {
            onDriver(Library.CUDA) { cuda(0) }
        }

        test("a stream and a file are read to a GPU of the simulated HIP runtime, by a queue of the caller") {
            onDriver(Library.ROCM_6) { rocm(0) }
        }

        test("a reader whose GPU has no memory left fails with the GPU's exception, and leaks nothing") {
            ReleaseBalance.start().use {
                SimulatedDevice.builder(0).memory(1000).open().use { gpu ->
                    columns().use { batch ->
                        val options = IpcReadOptions.defaults().withDevice(gpu.device())
                        arrowStream(Watched(streamOf(batch)) { true }, options).use { reader ->
                            shouldThrow<OutOfDeviceMemoryException> { reader.nextBatch() }
                        }
                    }
                }
            }
        }
    })

/** Reads a stream, and the same as a file, to the GPU of a simulated driver, which finds no mistake. */
private fun onDriver(
    face: Library,
    open: () -> DriverRuntime,
) {
    val driver = SimulatedDriver.load(face)
    ReleaseBalance.start().use {
        open().use { gpu ->
            gpu.createQueue().use { queue ->
                val options = IpcReadOptions.defaults().withDevice(gpu, queue)
                columns().use { batch ->
                    val channel = Watched(streamOf(batch, batch)) { gpu.deviceOf(it) != null }
                    arrowStream(channel, options).use { reader ->
                        repeat(2) { sameOn(gpu.device, reader.nextBatch()!!, batch) }
                    }
                    channel.largestOnHeap shouldBeLessThan 2_000
                    withFile { path ->
                        write(path, listOf(batch, batch))
                        arrowFile(path, options).use { file ->
                            listOf(1, 0).forEach { sameOn(gpu.device, file.batch(it), batch) }
                        }
                    }
                }
                queue.synchronize()
            }
        }
    }
    driver.awaitIdle(Duration.ofSeconds(5)) shouldBe 0
    withClue("mistakes that the simulated driver noted") { driver.violations().shouldBeEmpty() }
}

/** Closes what was read, which is on a device and has the values of a batch. */
private fun sameOn(
    device: Device,
    read: RecordBatch,
    batch: RecordBatch,
) = read.use {
    it.device shouldBe device
    it.copyTo(Device.CPU).use { back -> back.valuesEqual(batch) shouldBe true }
}

private fun columns(): RecordBatch =
    recordBatch {
        column<Long>("id") { addAll(0L until 20_000L) }
        column<String>("text") { repeat(20_000) { if (it % 3 == 0) addNull() else add("row $it") } }
        column<String>("word", ArrowType.dictionary(ArrowType.INT16, ArrowType.UTF8)) {
            repeat(20_000) { add("word ${it % 10}") }
        }
    }

/** Bytes, and what they were read into. */
private class Watched(
    bytes: ByteArray,
    private val isPinned: (Long) -> Boolean,
) : ReadableByteChannel {
    private val bytes = ByteBuffer.wrap(bytes)
    var largestOnHeap = 0

    override fun read(target: ByteBuffer): Int {
        if (!bytes.hasRemaining()) return -1
        val count = minOf(bytes.remaining(), target.remaining())
        if (target.isDirect) {
            val memory = DeviceBuffer.ofByteBuffer(target) {}
            isPinned(memory.address) shouldBe true
            memory.owner.release()
        } else {
            largestOnHeap = maxOf(largestOnHeap, count)
        }
        target.put(bytes.slice().limit(count) as ByteBuffer)
        bytes.position(bytes.position() + count)
        return count
    }

    override fun isOpen() = true

    override fun close() = Unit
}
