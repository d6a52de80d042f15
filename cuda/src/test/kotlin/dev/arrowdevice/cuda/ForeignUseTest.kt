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
import dev.arrowdevice.spi.DeviceRuntime
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
 * order of our queue, which knows nothing of that kernel; here a copy on a stream that is held stands for it.
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
        ways.forEach { (name, export) ->
            test("the memory of $name is freed after the work that its consumer has queued") {
                withGpu {
                    requireNotNull(HeldStreams.of(this)).use { held ->
                        createQueue().use { own ->
                            createQueue().use { consumer ->
                                withBuffer(3L * Int.SIZE_BYTES, DeviceRuntime::allocateStaging) { seen ->
                                    val array = deviceArrayOf(1, 2, 3).use { it.copyToAsync(this, own) }
                                    array.await()
                                    ReleaseBalance.awaitDeferredReleases()
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
                                    List(3) { seen.memory().getInt(4L * it) } shouldBe listOf(1, 2, 3)
                                }
                            }
                        }
                    }
                }
            }
        }
    })
