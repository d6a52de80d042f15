package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.recordBatch
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Arrays on a GPU; everything else about them is tested on the testkit's simulated device. */
class CudaArrayTest :
    FunSpec({
        val samples = List(1000) { it / 4f }

        test("an array built on a GPU is readable after a copy to the host, and not before") {
            withGpu {
                deviceArray<Float>(device = this) { addAll(samples) }.use { onGpu ->
                    onGpu.device shouldBe device
                    shouldThrow<UnreadableDeviceException> { onGpu.toFloatArray() }.message shouldContain
                        "CUDA:0"
                    onGpu.copyTo(Device.CPU).use { it.toFloatArray().toList() shouldBe samples }
                }
            }
        }

        test("a batch is copied to a GPU and back, and outlives the runtime") {
            balanced {
                recordBatch {
                    column<Long>("id") { addAll(1L..3L) }
                    column<String>("name") { addAll(listOf("Ada", null, "Alan")) }
                }.use { batch ->
                    val onGpu = cuda(0).use { gpu -> batch.copyTo(gpu) }
                    onGpu.use { moved -> moved.copyTo(Device.CPU).use { it.toString() shouldBe batch.toString() } }
                }
            }
        }
    })
