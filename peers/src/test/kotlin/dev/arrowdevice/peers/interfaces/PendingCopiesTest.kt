package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrayView
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceException
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private val everyOther = mapOf("shape" to listOf(2), "strides" to listOf(8))

/** An array on the device, as a mask that waits for a queue. */
private fun DeviceArray.asMask(
    typestr: String,
    queue: DeviceQueue,
) = mapOf(
    "shape" to listOf(2),
    "typestr" to typestr,
    "data" to listOf(data.buffer(1)!!.address, true),
    "version" to 3,
    "stream" to queue.handle,
)

private fun SimulatedDevice.copying() = ImportOptions.on(device()).copying()

private fun SimulatedDevice.withQueue(test: (DeviceQueue) -> Unit) = runtime().createQueue().use(test)

/** The host reads and copies arrays of a device after their data is complete, and before it is freed. */
class PendingCopiesTest :
    FunSpec({
        test("a copy waits for the data, and is on the device") {
            withGpu {
                withQueue { queue ->
                    val numbers = pending(queue, 1, 2, 3, 4)
                    val ordered = ExportOptions.defaults().queue(queue)
                    val gaps = CudaArrayInterface.fromMap(CudaArrayInterface.of(numbers, ordered).toMap() + everyOther)
                    val owner = ForeignOwner()
                    waitingFor(queue) { gaps.importArray(owner, copying()) }.use {
                        owner.closed shouldBe 1
                        it.device shouldBe device()
                        it.readyEvent shouldBe null
                        it.onHost() shouldBe listOf(1, 3)
                    }
                    numbers.close()
                }
            }
        }

        test("a copy waits for a mask of bits or of bytes too, if the data is complete") {
            for ((typestr, content) in mapOf("<t1" to 0b10, "|b1" to 0x0100)) {
                withGpu {
                    withQueue { queue ->
                        val mask = pending(queue, content)
                        array(1, 2, 3, 4).use { numbers ->
                            val map = CudaArrayInterface.of(numbers).toMap() + everyOther
                            val masked = CudaArrayInterface.fromMap(map + ("mask" to mask.asMask(typestr, queue)))
                            waitingFor(queue) { masked.importArray({}, copying()) }.use {
                                it.onHost() shouldBe listOf(null, 3)
                            }
                        }
                        mask.close()
                    }
                }
            }
        }

        test("data is not copied, and its mask of bytes is, when it is complete") {
            withGpu {
                withQueue { queue ->
                    val mask = pending(queue, 0x0001)
                    array(1, 2).use { numbers ->
                        val map = CudaArrayInterface.of(numbers).toMap() + ("mask" to mask.asMask("|b1", queue))
                        val owner = ForeignOwner()
                        waitingFor(queue) { CudaArrayInterface.fromMap(map).importArray(owner, copying()) }.use {
                            it.data.buffer(1)!!.address shouldBe numbers.data.buffer(1)!!.address
                            it.onHost() shouldBe listOf(1, null)
                            owner.closed shouldBe 0
                        }
                        owner.closed shouldBe 1
                    }
                    mask.close()
                }
            }
        }

        test("a mask for the options is complete when the export returns") {
            withGpu {
                withQueue { queue ->
                    array(1, 2).use { numbers ->
                        pause(queue)
                        deviceArrayOf<Byte>(1, 0).use { it.copyToAsync(device(), queue) }.use { mask ->
                            val face =
                                waitingFor(queue) {
                                    CudaArrayInterface.of(numbers, ExportOptions.defaults().mask(mask))
                                }
                            mask.readyEvent?.isComplete() shouldBe true
                            face.mask()?.data() shouldBe mask.data.buffer(1)!!.address
                        }
                    }
                }
            }
        }

        test("other layouts are made on the device from complete data") {
            val forms =
                listOf<Pair<(ArrayView) -> DeviceArray, List<Any?>>>(
                    ArrayView::toBool8 to listOf(true, null, false),
                    CudaArrayInterface::byteMask to listOf(true, false, true),
                )
            for ((form, expected) in forms) {
                withGpu {
                    withQueue { queue ->
                        pause(queue)
                        deviceArrayOf(true, null, false).use { it.copyToAsync(device(), queue) }.use { bits ->
                            waitingFor(queue) { form(bits) }.use {
                                it.device shouldBe device()
                                it.onHost() shouldBe expected
                            }
                        }
                    }
                }
            }
        }

        test("if the device fails at any call, nothing is left behind and the owner is closed once") {
            withGpu {
                array(1, 2, 3, 4).use { numbers ->
                    val gaps =
                        CudaArrayInterface.of(numbers).toMap() + mapOf("shape" to listOf(2), "strides" to listOf(8))
                    val described = CudaArrayInterface.fromMap(gaps)
                    val options = ImportOptions.on(device()).copying()
                    var passing = 0
                    do {
                        val owner = ForeignOwner()
                        failCall(passing++)
                        runCatching { described.importArray(owner, options).close() }
                        ReleaseBalance.awaitDeferredReleases()
                        owner.closed shouldBe 1
                    } while (clearFaults() == 0)
                }
            }
        }

        test("a queued copy to the host that fails keeps source and target until the queue is done") {
            withGpu {
                array(1, 2, 3, 4).use { numbers ->
                    val gaps = CudaArrayInterface.fromMap(CudaArrayInterface.of(numbers).toMap() + everyOther)
                    val owner = ForeignOwner()
                    val queue = runtime().defaultQueue
                    pause(queue)
                    failNext(Operation.SYNCHRONIZE)
                    shouldThrow<DeviceException> { gaps.importArray(owner, copying()) }
                    owner.closed shouldBe 0
                    resume(queue)
                    // That nothing was used after it was freed, the device says when it is closed.
                    queue.synchronize()
                    ReleaseBalance.awaitDeferredReleases()
                    owner.closed shouldBe 1
                }
            }
        }

        test("a queued copy to the device that fails keeps source and target until the queue is done") {
            withGpu {
                array(1, 2).use { numbers ->
                    val queue = runtime().defaultQueue
                    pause(queue)
                    failNext(Operation.SYNCHRONIZE)
                    shouldThrow<DeviceException> { CudaArrayInterface.byteMask(numbers) }
                    resume(queue)
                    queue.synchronize()
                    ReleaseBalance.awaitDeferredReleases()
                }
            }
        }
    })
