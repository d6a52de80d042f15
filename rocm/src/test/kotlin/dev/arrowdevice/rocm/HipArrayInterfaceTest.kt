package dev.arrowdevice.rocm

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackStruct
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.spi.Verb
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private val onGpu = ImportOptions.on(Device(DeviceType.ROCM, 0))

/** With GPU 0 opened and registered. */
private fun SimulatedHip.registered(
    kind: MemoryKind = MemoryKind.DEVICE,
    body: (HipRuntime) -> Unit,
) = open(0, kind) { gpu ->
    Devices.register(gpu)
    body(gpu)
}

/** The same test with the GPU's own memory and with pinned memory. */
private fun SimulatedHip.withEachMemory(body: (HipRuntime) -> Unit) =
    listOf(MemoryKind.DEVICE, MemoryKind.HOST).forEach { registered(it, body) }

/** An array on the GPU whose data is there. */
private fun HipRuntime.there(vararg values: Int): DeviceArray =
    deviceArrayOf(*values.toTypedArray()).use { it.copyTo(device) }.also { it.readyEvent?.await() }

/** The same array, its data pending: an event behind what is queued now. */
private fun HipRuntime.after(array: DeviceArray): DeviceArray {
    val event = record(defaultQueue)
    return Move.begin(array, Verb.WRAP).use { move ->
        val closing =
            object : ReferenceCounted() {
                override fun free() = event.close()
            }
        OwnedArrays.of(move.data, ReferenceCounted.all(closing, move.owner), event).also { move.complete() }
    }
}

private fun DeviceArray.onHost(): List<Any?> =
    copyTo(Device.CPU).use { host -> List(host.length.toInt()) { host.getObject(it.toLong()) } }

/** The streams of a function's calls that the block makes, in order, as HIP sees them. */
private fun SimulatedHip.streamsOf(
    function: String,
    block: () -> Unit,
): List<String> {
    fun calls() = driver.trace().map { it.split(' ') }.filter { it[1].startsWith(function) }
    val before = calls().size
    block()
    return calls().drop(before).map { call -> call.single { it.startsWith("stream=") }.removePrefix("stream=0x") }
}

/** HIP's stream for each stream of the CUDA Array Interface. */
private fun HipRuntime.eachStream(body: (given: Long, seen: String) -> Unit) =
    createQueue().use { queue ->
        body(CudaArrayInterface.LEGACY_DEFAULT_STREAM, "0")
        body(CudaArrayInterface.PER_THREAD_DEFAULT_STREAM, "2")
        body(queue.handle, queue.handle.toString(16))
    }

/** The stream of the CUDA Array Interface and of DLPack on a GPU of ROCm, in each of its meanings, as HIP sees them. */
class HipArrayInterfaceTest :
    FunSpec({
        onEachHip("the CUDA Array Interface's legacy default stream 1 is HIP's 0, and other handles are equal") {
            withEachMemory { gpu ->
                gpu.there(1, 2).use { array ->
                    gpu.eachStream { given, seen ->
                        val map = CudaArrayInterface.of(array).toMap() + mapOf("version" to 3, "stream" to given)
                        streamsOf("hipEventRecord") {
                            CudaArrayInterface.fromMap(map).importArray({}, ImportOptions.on(gpu.device)).use {
                                it.device shouldBe gpu.device
                                it.readyEvent!!.await()
                            }
                        } shouldBe listOf(seen)
                    }
                }
            }
        }

        onEachHip("the stream of a mask is converted too, also if the data has another one") {
            registered { gpu ->
                deviceArrayOf(1, null).use { it.copyTo(gpu.device) }.use { array ->
                    array.readyEvent?.await()
                    val map = CudaArrayInterface.of(array, ExportOptions.defaults().bitMask()).toMap()
                    gpu.eachStream { given, seen ->
                        val mask = (map.getValue("mask") as Map<*, *>) + mapOf("version" to 3, "stream" to given)
                        val masked = map + mapOf("mask" to mask, "version" to 3)
                        streamsOf("hipEventRecord") {
                            CudaArrayInterface.fromMap(masked).importArray({}, onGpu).use {
                                it.readyEvent!!.await()
                            }
                        } shouldBe listOf(seen)
                        gpu.createQueue().use { other ->
                            val both = CudaArrayInterface.fromMap(masked + ("stream" to other.handle))
                            // The third is of the event that joins the two.
                            streamsOf("hipEventRecord") {
                                both.importArray({}, onGpu).use { it.onHost() shouldBe listOf(1, null) }
                            }.take(2) shouldBe listOf(other.handle.toString(16), seen)
                        }
                    }
                }
            }
        }

        onEachHip("the default queue is exported as the legacy default stream and imported as HIP's") {
            registered { gpu ->
                val array = gpu.after(gpu.there(7))
                array.use {
                    var face: CudaArrayInterface? = null
                    streamsOf("hipStreamWaitEvent") {
                        face = CudaArrayInterface.of(it, ExportOptions.defaults().queue(gpu.defaultQueue))
                    } shouldBe listOf("0")
                    face!!.stream() shouldBe CudaArrayInterface.LEGACY_DEFAULT_STREAM
                    face.importArray({}, onGpu).use { back -> back.onHost() shouldBe listOf(7) }
                }
            }
        }

        onEachHip("DLPack: None and 0 are the default stream, at export and import") {
            withEachMemory { gpu ->
                for (stream in listOf(null, 0L)) {
                    lateinit var struct: DlpackStruct
                    streamsOf("hipStreamWaitEvent") {
                        struct =
                            DlpackTensor.exportVersioned(
                                gpu.after(gpu.there(1)),
                                ExportOptions.defaults().stream(stream),
                            )
                    } shouldBe listOf("0")
                    streamsOf("hipEventRecord") {
                        DlpackTensor.importArray(struct, ImportOptions.defaults().stream(stream)).use {
                            it.device shouldBe gpu.device
                            it.readyEvent!!.await()
                        }
                    } shouldBe listOf("0")
                    ReleaseBalance.awaitDeferredReleases()
                }
            }
        }

        onEachHip("DLPack: 1 and 2 are CUDA's and refused, both ways; our array stays live, a tensor is deleted") {
            withEachMemory { gpu ->
                for (stream in listOf(1L, 2L)) {
                    gpu.there(1).use { array ->
                        shouldThrow<IllegalArgumentException> {
                            DlpackTensor.exportVersioned(array, ExportOptions.defaults().stream(stream))
                        }.message shouldContain "stream $stream is CUDA's: of ROCm 0 is the default stream"
                        array.isLive() shouldBe true
                        val struct = DlpackTensor.exportVersioned(array.share(), ExportOptions.defaults())
                        shouldThrow<IllegalArgumentException> {
                            DlpackTensor.importArray(struct, ImportOptions.defaults().stream(stream))
                        }.message shouldContain "stream $stream is CUDA's"
                        ReleaseBalance.awaitDeferredReleases()
                    }
                }
            }
        }

        onEachHip("DLPack: -1 orders nothing, and a handle is a queue to wait for") {
            registered { gpu ->
                gpu.createQueue().use { queue ->
                    streamsOf("hipStreamWaitEvent") {
                        val unordered = ExportOptions.defaults().stream(-1)
                        DlpackTensor.exportVersioned(gpu.after(gpu.there(1)), unordered).delete()
                    }.shouldBeEmpty()
                    ReleaseBalance.awaitDeferredReleases()
                    streamsOf("hipStreamWaitEvent") {
                        val ordered = ExportOptions.defaults().stream(queue.handle)
                        DlpackTensor.exportVersioned(gpu.after(gpu.there(1)), ordered).delete()
                    } shouldBe listOf(queue.handle.toString(16))
                    queue.synchronize()
                    ReleaseBalance.awaitDeferredReleases()
                }
            }
        }
    })
