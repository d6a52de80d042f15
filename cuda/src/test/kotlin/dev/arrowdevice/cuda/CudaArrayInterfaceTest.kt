package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackStruct
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.spi.Verb
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena

/** An array on the GPU whose data is there. */
private fun CudaRuntime.there(vararg values: Int): DeviceArray =
    deviceArrayOf(*values.toTypedArray()).use { it.copyTo(device) }.also { it.readyEvent?.await() }

/** The same array, its data pending: an event behind what is queued on a stream now. */
private fun CudaRuntime.after(
    stream: Long,
    array: DeviceArray,
): DeviceArray {
    val event = importQueue(stream).use(::record)
    return Move.begin(array, Verb.WRAP).use { move ->
        val closing =
            object : ReferenceCounted() {
                override fun free() = event.close()
            }
        OwnedArrays.of(move.data, ReferenceCounted.all(closing, move.owner), event).also { move.complete() }
    }
}

private fun DeviceArray.onHost(): List<Int> =
    copyTo(Device.CPU).use { host -> List(host.length.toInt()) { host.getInt(it.toLong()) } }

/** The calls of a function that the block makes, as the driver's trace has them. */
private fun callsOf(
    function: String,
    block: () -> Unit,
): List<String> {
    val driver = requireNotNull(simulated)

    fun calls() = driver.trace().filter { it.split(' ')[1].startsWith(function) }
    val before = calls().size
    block()
    return calls().drop(before)
}

/** Runs a block while a stream does nothing. */
private fun <T> whilePaused(
    stream: Long,
    block: () -> T,
): T {
    val driver = requireNotNull(simulated)
    driver.pause(stream)
    try {
        return block()
    } finally {
        driver.resume(stream)
    }
}

/** Imports one int at a GPU's address. Returns the array's device and value, or the message of the refusal. */
private fun importing(
    address: Long,
    named: Device,
): String {
    var closed = 0
    val map = mapOf("shape" to listOf(1), "typestr" to "<i4", "data" to listOf(address, false), "version" to 2)
    val face = CudaArrayInterface.fromMap(map)
    val result =
        try {
            face.importArray({ closed++ }, ImportOptions.on(named)).use { "${it.device} ${it.onHost()}" }
        } catch (e: IllegalArgumentException) {
            e.message.orEmpty()
        }
    closed shouldBe 1
    return result
}

/** The stream of the CUDA Array Interface and of DLPack, in each of its meanings, as the driver sees them. */
class CudaArrayInterfaceTest :
    FunSpec({
        /** For each stream by its number; null is one that the producer has created. */
        fun onStreams(test: CudaRuntime.(Long) -> Unit) {
            for (known in listOf(
                CudaArrayInterface.LEGACY_DEFAULT_STREAM,
                CudaArrayInterface.PER_THREAD_DEFAULT_STREAM,
                null,
            )) {
                withGpu { createQueue().use { test(known ?: it.handle) } }
            }
        }

        test("version 3: the array's event is recorded on the stream of the interface")
            .config(enabledOrReasonIf = onlySimulated) {
                onStreams { stream ->
                    there(1, 2, 3).use { array ->
                        val map = CudaArrayInterface.of(array).toMap() + mapOf("version" to 3, "stream" to stream)
                        val face = CudaArrayInterface.fromMap(map)
                        val recorded =
                            callsOf("cuEventRecord") {
                                face.importArray({}, ImportOptions.on(device)).use {
                                    it.readyEvent!!.await()
                                    it.onHost() shouldBe listOf(1, 2, 3)
                                }
                            }
                        recorded[0].split(' ') shouldContain "stream=0x${stream.toString(16)}"
                    }
                }
            }

        test("version 3 without a stream, and version 2: no event at all").config(enabledOrReasonIf = onlySimulated) {
            withGpu {
                there(1).use { array ->
                    for (version in 2..3) {
                        val face = CudaArrayInterface.of(array, ExportOptions.defaults().cudaVersion(version))
                        callsOf("cuEventRecord") {
                            face.importArray({}, ImportOptions.on(device)).use { it.readyEvent shouldBe null }
                        }.shouldBeEmpty()
                    }
                }
            }
        }

        test("version 3 with a queue: the queue waits for the data, not the host, and its handle is the stream")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    createQueue().use { producing ->
                        createQueue().use { consuming ->
                            val data = there(1)
                            whilePaused(producing.handle) {
                                val array = after(producing.handle, data)
                                val waits =
                                    callsOf("cuStreamWaitEvent") {
                                        CudaArrayInterface
                                            .of(
                                                array,
                                                ExportOptions.defaults().queue(consuming),
                                            ).stream() shouldBe
                                            consuming.handle
                                    }
                                waits shouldHaveSize 1
                                array.readyEvent!!.isComplete() shouldBe false
                                array
                            }.close()
                            consuming.synchronize()
                        }
                    }
                }
            }

        test("the default queue is the legacy default stream, 1, because 0 is disallowed") {
            withGpu {
                there(1).use {
                    CudaArrayInterface.of(it, ExportOptions.defaults().queue(defaultQueue)).stream() shouldBe
                        CudaArrayInterface.LEGACY_DEFAULT_STREAM
                }
            }
        }

        test("a pointer of another GPU, of pinned memory or of the host is refused, and its owner closed once")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    val second = Device(DeviceType.CUDA, 1)
                    there(7).use {
                        val address = it.data.buffer(1)!!.address
                        importing(address, device) shouldBe "CUDA:0 [7]"
                        importing(address, second) shouldContain "is memory of CUDA:0, not of CUDA:1"
                    }
                    withBuffer(4, DeviceRuntime::allocateStaging) {
                        importing(it.address, device) shouldContain "is memory of CUDA_HOST:0, not of CUDA:0"
                    }
                    Arena.ofConfined().use {
                        importing(it.allocate(4).address(), device) shouldContain "is no memory of CUDA:0"
                    }
                }
            }

        test("managed memory can be imported as its GPU's too") {
            balanced {
                cudaManaged().use { managed ->
                    managed.withBuffer(4) {
                        managed.fill(it, listOf(7, 0, 0, 0))
                        importing(it.address, managed.device) shouldBe "CUDA_MANAGED:0 [7]"
                        importing(it.address, Device(DeviceType.CUDA, 0)) shouldBe "CUDA:0 [7]"
                    }
                }
            }
        }

        test("DLPack: the consumer's stream waits for the data, and None is the legacy default stream")
            .config(enabledOrReasonIf = onlySimulated) {
                onStreams { stream ->
                    createQueue().use { producing ->
                        val data = there(1)
                        val given = if (stream == 1L) null else stream
                        lateinit var struct: DlpackStruct
                        whilePaused(producing.handle) {
                            val array = after(producing.handle, data)
                            val waits =
                                callsOf("cuStreamWaitEvent") {
                                    struct = DlpackTensor.exportVersioned(array, ExportOptions.defaults().stream(given))
                                }
                            waits shouldHaveSize 1
                            waits[0].split(' ') shouldContain "stream=0x${stream.toString(16)}"
                        }
                        importQueue(stream).use { it.synchronize() }
                        struct.delete()
                        ReleaseBalance.awaitDeferredReleases()
                    }
                }
            }

        test("DLPack: 0 is ambiguous and refused, -1 orders nothing").config(enabledOrReasonIf = onlySimulated) {
            withGpu {
                there(1).use { array ->
                    shouldThrow<IllegalArgumentException> {
                        DlpackTensor.exportVersioned(array, ExportOptions.defaults().stream(0))
                    }.message shouldContain "stream is 0, which is ambiguous"
                    callsOf("cuStreamWaitEvent") {
                        DlpackTensor
                            .exportVersioned(after(2, array.share()), ExportOptions.defaults().stream(-1))
                            .delete()
                    }.shouldBeEmpty()
                    ReleaseBalance.awaitDeferredReleases()
                }
            }
        }
    })
