package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Arrays on a device whose work is pending: which queue waits for which. */
class PendingInterfacesTest :
    FunSpec({
        test("the stream of a CUDA Array Interface becomes the array's event, and the import does not wait") {
            withGpu {
                runtime().createQueue().use { queue ->
                    val producer = pending(queue, 42)
                    val ordered = ExportOptions.defaults().queue(queue)
                    val described = CudaArrayInterface.of(producer, ordered)
                    described.stream() shouldBe queue.handle
                    val owner = ForeignOwner()
                    val array = described.importArray(owner, ImportOptions.on(device()))
                    array.readyEvent!!.isComplete() shouldBe false
                    resume(queue)
                    array.onHost() shouldBe listOf(42)
                    array.close()
                    owner.closed shouldBe 1
                    producer.close()
                }
            }
        }

        test("a mask may have a stream of its own, which the array waits for") {
            withGpu {
                runtime().createQueue().use { queue ->
                    val mask = pending(queue, 0b01)
                    val bits =
                        mapOf(
                            "shape" to listOf(2),
                            "typestr" to "<t1",
                            "data" to listOf(mask.data.buffer(1)!!.address, true),
                            "version" to 3,
                            "stream" to queue.handle,
                        )
                    array(1, 2).use { numbers ->
                        val masked = CudaArrayInterface.of(numbers).toMap() + ("mask" to bits)
                        val options = ImportOptions.on(device())
                        CudaArrayInterface.fromMap(masked).importArray({}, options).use {
                            it.readyEvent?.isComplete() shouldBe false
                            resume(queue)
                            it.onHost() shouldBe listOf(1, null)
                        }
                        val known = options.withoutSynchronization()
                        CudaArrayInterface.fromMap(masked).importArray({}, known).use { it.readyEvent shouldBe null }
                    }
                    mask.close()
                }
            }
        }

        test("data and mask may have different streams, and the array waits for both, in either order") {
            for (firstDone in listOf("data", "mask")) {
                withGpu {
                    runtime().createQueue().use { ofData ->
                        runtime().createQueue().use { ofMask ->
                            val data = pending(ofData, 42)
                            val mask = pending(ofMask, 0b1)
                            val bits =
                                mapOf(
                                    "shape" to listOf(1),
                                    "typestr" to "<t1",
                                    "data" to listOf(mask.data.buffer(1)!!.address, true),
                                    "version" to 3,
                                    "stream" to ofMask.handle,
                                )
                            val ordered = ExportOptions.defaults().queue(ofData)
                            val masked = CudaArrayInterface.of(data, ordered).toMap() + ("mask" to bits)
                            CudaArrayInterface.fromMap(masked).importArray({}, ImportOptions.on(device())).use {
                                resume(if (firstDone == "data") ofData else ofMask)
                                (if (firstDone == "data") ofData else ofMask).synchronize()
                                it.readyEvent!!.isComplete() shouldBe false
                                resume(if (firstDone == "data") ofMask else ofData)
                                it.onHost() shouldBe listOf(42)
                            }
                            data.close()
                            mask.close()
                        }
                    }
                }
            }
        }

        test("an unknown null count is computed on the device") {
            withGpu {
                deviceArrayOf(1, null, 3).use { it.copyTo(device()) }.use { array ->
                    array.slice(0, 1).use { CudaArrayInterface.of(it).shape() shouldBe listOf(1L) }
                    array.slice(0, 2).use {
                        shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(it) }.message shouldContain
                            "1 elements are null"
                        shouldThrow<IllegalArgumentException> {
                            DlpackTensor.exportVersioned(it, ExportOptions.defaults())
                        }.message shouldContain "1 elements are null"
                    }
                }
            }
        }

        test("the array's validity waits for the same queue as its elements") {
            withGpu {
                runtime().createQueue().use { queue ->
                    deviceArrayOf(1, null).use { it.copyTo(device()) }.use { array ->
                        val face = CudaArrayInterface.of(array, ExportOptions.defaults().bitMask().queue(queue))
                        face.stream() shouldBe queue.handle
                        face.mask()?.stream() shouldBe face.stream()
                    }
                }
            }
        }

        test("an import that opts out waits for no stream") {
            withGpu {
                runtime().createQueue().use { queue ->
                    array(1).use { array ->
                        val described = CudaArrayInterface.of(array, ExportOptions.defaults().queue(queue))
                        val options = ImportOptions.on(device()).withoutSynchronization()
                        described.importArray({}, options).use { it.readyEvent shouldBe null }
                    }
                }
            }
        }

        test(
            "in the version with a stream the consumer's queue waits for the data, in the other one the export waits",
        ) {
            withGpu {
                runtime().createQueue().use { producing ->
                    runtime().createQueue().use { consuming ->
                        val array = pending(producing, 7)
                        CudaArrayInterface.of(array, ExportOptions.defaults().queue(consuming))
                        calls() shouldContain Operation.WAIT_FOR
                        resume(producing)
                        val two = ExportOptions.defaults().queue(consuming).cudaVersion(2)
                        CudaArrayInterface.of(array, two).stream() shouldBe null
                        array.readyEvent!!.isComplete() shouldBe true
                        array.close()
                        consuming.synchronize()
                    }
                }
            }
        }

        test("a DLPack tensor is ordered by the consumer's stream, and the imported array waits for it") {
            withGpu {
                runtime().createQueue().use { producing ->
                    runtime().createQueue().use { consuming ->
                        for (stream in listOf(consuming.handle, -1)) {
                            val producer = pending(producing, 5)
                            val out = DlpackTensor.exportVersioned(producer, ExportOptions.defaults().stream(stream))
                            val back = DlpackTensor.importArray(out, ImportOptions.defaults().stream(stream))
                            back.readyEvent?.isComplete() shouldBe if (stream == -1L) null else false
                            resume(producing)
                            producing.synchronize()
                            back.onHost() shouldBe listOf(5)
                            back.close()
                            ReleaseBalance.awaitDeferredReleases()
                        }
                    }
                }
            }
        }

        test("an imported DLPack tensor is ordered by the named queue") {
            withGpu {
                runtime().createQueue().use { producing ->
                    runtime().createQueue().use { consuming ->
                        val out =
                            DlpackTensor.exportVersioned(
                                pending(producing, 5),
                                ExportOptions.defaults().stream(consuming.handle),
                            )
                        val back = DlpackTensor.importArray(out, ImportOptions.on(device()).after(consuming))
                        back.readyEvent!!.isComplete() shouldBe false
                        resume(producing)
                        back.onHost() shouldBe listOf(5)
                        back.close()
                        ReleaseBalance.awaitDeferredReleases()
                    }
                }
            }
        }

        test("-1: \"producer must not perform any synchronization\"") {
            withGpu {
                runtime().createQueue().use { producing ->
                    val array = pending(producing, 5)
                    val before = calls().size
                    val out = DlpackTensor.exportVersioned(array, ExportOptions.defaults().stream(-1))
                    calls().drop(before) shouldNotContain Operation.WAIT_FOR
                    calls().drop(before) shouldNotContain Operation.AWAIT
                    resume(producing)
                    producing.synchronize()
                    out.delete()
                    ReleaseBalance.awaitDeferredReleases()
                }
            }
        }

        test("strides that lead out of the device's memory are refused, even if a copy is allowed") {
            withGpu {
                array(1, 2).use { array ->
                    val reasons = listOf("leaves the allocation of 64 bytes", "is no memory of EXT_DEV:0")
                    for ((stride, reason) in listOf(1 shl 30, -(1 shl 30)).zip(reasons)) {
                        val owner = ForeignOwner()
                        val far = CudaArrayInterface.of(array).toMap() + ("strides" to listOf(stride))
                        shouldThrow<IllegalArgumentException> {
                            CudaArrayInterface.fromMap(far).importArray(owner, ImportOptions.on(device()).copying())
                        }.message shouldContain reason
                        owner.closed shouldBe 1
                    }
                }
            }
        }

        test("pointers of another device, and of none, are refused") {
            withGpu {
                SimulatedDevice.open(1).use { other ->
                    other.array(1).use { array ->
                        val owner = ForeignOwner()
                        shouldThrow<IllegalArgumentException> {
                            CudaArrayInterface.of(array).importArray(owner, ImportOptions.on(device()))
                        }.message shouldContain "is memory of EXT_DEV:1, not of EXT_DEV:0"
                        val nowhere = CudaArrayInterface.of(array).toMap() + ("data" to listOf(4096, false))
                        shouldThrow<IllegalArgumentException> {
                            CudaArrayInterface.fromMap(nowhere).importArray(owner, ImportOptions.on(device()))
                        }.message shouldContain "is no memory of EXT_DEV:0"
                        owner.closed shouldBe 2
                        array(1).use { here ->
                            val theirs = CudaArrayInterface.of(array).toMap()
                            val masked = CudaArrayInterface.of(here).toMap() + ("mask" to theirs)
                            shouldThrow<IllegalArgumentException> {
                                CudaArrayInterface.fromMap(masked).importArray(owner, ImportOptions.on(device()))
                            }.message shouldContain Regex("of the mask 0x\\w+ is memory of EXT_DEV:1, not of EXT_DEV:0")
                        }
                        owner.closed shouldBe 3
                    }
                }
            }
        }
    })
