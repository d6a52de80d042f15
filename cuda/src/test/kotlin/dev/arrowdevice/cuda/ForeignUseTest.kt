package dev.arrowdevice.cuda

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/**
 * A consumer releases memory of a GPU when its last kernel is queued, not when it is done. Memory of a pool is freed in the
 * order of our queue, which knows nothing of that kernel, and of pinned memory CUDA does not say that freeing waits. Here a copy
 * on a stream that is held stands for the kernel.
 */
class ForeignUseTest :
    FunSpec({
        val ways: Map<String, (DeviceArray) -> () -> Unit> =
            mapOf(
                "a DLPack tensor" to { array ->
                    val tensor = DlpackTensor.exportVersioned(array, ExportOptions.defaults())
                    tensor::delete
                },
                "a C device array" to { array ->
                    val struct = CStruct.deviceArray()
                    ArrowExport.exportDeviceArray(array, struct)
                    struct::close
                },
                "the CUDA Array Interface" to { array ->
                    CudaArrayInterface.of(array)
                    array::close
                },
                "the CUDA Array Interface, moved to a batch" to { array ->
                    CudaArrayInterface.of(array)
                    RecordBatch.of(Schema.of(Field.nullable("x", array.type)), listOf(array))::close
                },
            )
        for (kind in listOf(MemoryKind.DEVICE, MemoryKind.HOST)) {
            ways.forEach { (name, export) ->
                test("the memory of $name of the kind $kind is freed after the work that its consumer has queued") {
                    withGpu {
                        requireNotNull(HeldStreams.of(this)).use { held ->
                            createQueue().use { consumer ->
                                withBuffer(3L * Int.SIZE_BYTES) { seen ->
                                    val array = CudaRuntime.open(0, kind).use { arrayOn(it) }
                                    val values = checkNotNull(array.data.buffer(1))
                                    val release = export(array)
                                    val letGo = held.hold(consumer.handle)
                                    copyAsync(values, 0, seen, 0, seen.byteSize, consumer)
                                    release()
                                    val freed = CompletableFuture.runAsync(ReleaseBalance::awaitDeferredReleases)
                                    shouldThrow<TimeoutException> { freed.get(50, TimeUnit.MILLISECONDS) }
                                    simulated?.violations().orEmpty().shouldBeEmpty()
                                    letGo.run()
                                    consumer.synchronize()
                                    freed.get(10, TimeUnit.SECONDS)
                                    bytes(seen) shouldBe listOf<Byte>(1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0)
                                }
                            }
                        }
                    }
                }
            }
        }
    })

private fun arrayOn(gpu: CudaRuntime): DeviceArray =
    gpu.createQueue().use { queue ->
        deviceArrayOf(1, 2, 3).use { it.copyToAsync(gpu, queue) }.also {
            it.await()
            ReleaseBalance.awaitDeferredReleases()
        }
    }
