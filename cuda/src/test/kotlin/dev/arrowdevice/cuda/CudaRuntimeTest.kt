package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.SimulatedDriverMode
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import jcuda.driver.CUresult

/** Opening, closing and finding GPUs, and what only CUDA has. The contract of all devices is in `CudaContractTest`. */
class CudaRuntimeTest :
    FunSpec({
        test("an opened GPU has a description") {
            withGpu {
                device shouldBe Device(DeviceType.CUDA, 0)
                description shouldContain "driver of CUDA 1"
                isHostReadable().shouldBeFalse()
                val memory = memoryInfo.shouldNotBeNull()
                memory.free() shouldBeInRange 1..memory.total()
            }
        }

        test("each kind of memory is a device of its own, and they share queues") {
            balanced {
                cuda().use { gpu ->
                    cudaHost().use { pinned ->
                        cudaManaged().use { managed ->
                            pinned.device shouldBe Device(DeviceType.CUDA_HOST, 0)
                            pinned.isHostReadable().shouldBeTrue()
                            managed.device shouldBe Device(DeviceType.CUDA_MANAGED, 0)
                            gpu.createQueue().use { queue ->
                                val bytes = List<Byte>(100) { it.toByte() }
                                pinned.withBuffer(100) { from ->
                                    repeat(100) { from.memory().putByte(it.toLong(), bytes[it]) }
                                    gpu.withBuffer(100) { onGpu ->
                                        managed.withBuffer(100) { to ->
                                            gpu.copyAsync(from, 0, onGpu, 0, 100, queue)
                                            managed.copyAsync(onGpu, 0, to, 0, 100, queue)
                                            managed.bytes(to).size shouldBe 100
                                            queue.synchronize()
                                            managed.bytes(to) shouldBe bytes
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }

        test("buffers, queues and events outlive their runtime, which throws once it is closed") {
            balanced {
                val gpu = cuda(0)
                val buffer = gpu.allocate(4)
                val queue = gpu.createQueue()
                gpu.fill(buffer, listOf(1, 2, 3, 4))
                gpu.close()
                gpu.close()
                shouldThrow<IllegalStateException> { gpu.allocate(1) }.message shouldContain "closed"
                // Either would retain the primary context again, and nobody would give it back.
                shouldThrow<IllegalStateException> { gpu.context }.message shouldContain "closed"
                shouldThrow<IllegalStateException> { gpu.inContext { } }.message shouldContain "closed"
                cuda(0).use { other ->
                    other.bytes(buffer) shouldBe listOf<Byte>(1, 2, 3, 4)
                    other.record(queue).use { it.await() }
                }
                queue.close()
                buffer.owner.release()
            }
        }

        test("found and opened runtimes share the GPU, and closing one leaves the other usable") {
            balanced {
                val found = Devices.discover().single { it.provider() == "CUDA" }
                found.reason() shouldBe null
                found.runtimes().map { it.device } shouldContain Device(DeviceType.CUDA_HOST, 0)
                val registered = Devices.runtime(Device(DeviceType.CUDA, 0)) as CudaRuntime
                registered shouldBeSameInstanceAs
                    Devices
                        .discover()
                        .single { it.provider() == "CUDA" }
                        .runtimes()
                        .first()
                cuda(0).use { gpu ->
                    gpu.createQueue().use { queue ->
                        registered.withBuffer(4) { buffer ->
                            registered.fill(buffer, listOf(4, 3, 2, 1), queue)
                            gpu.bytes(buffer) shouldBe listOf<Byte>(4, 3, 2, 1)
                        }
                    }
                }
                registered.close()
                Devices.runtime(Device(DeviceType.CUDA, 0)) shouldBeSameInstanceAs registered
                registered.withBuffer(4) { registered.bytes(it).size shouldBe 4 }
            }
        }

        test("more than 2 GiB of pinned memory can be allocated and used at both ends") {
            withGpu {
                val size = (2L shl 30) + 4096
                withBuffer(size, DeviceRuntime::allocateStaging) { host ->
                    host.memory().putByte(0, 1)
                    host.memory().putByte(size - 1, 2)
                    withBuffer(2) { onGpu ->
                        copy(host, 0, onGpu, 0, 1)
                        copy(host, size - 1, onGpu, 1, 1)
                        bytes(onGpu) shouldBe listOf<Byte>(1, 2)
                    }
                }
            }
        }

        test("memory can be allocated in the order of a queue, used, and freed after the work") {
            withGpu {
                driver.hasQueueOrderedMemory().shouldBeTrue()
                createQueue().use { queue ->
                    val buffer = allocateAsync(4, queue)
                    fill(buffer, listOf(5, 6, 7, 8), queue)
                    bytes(buffer) shouldBe listOf<Byte>(5, 6, 7, 8)
                    buffer.owner.release()
                }
            }
        }

        test("an allocation of too much memory fails, and leaves the GPU usable") {
            withGpu {
                // Drivers have more than one code for it.
                shouldThrow<DeviceException> { allocate(1L shl 50) }.operation shouldBe "cuMemAlloc"
                shouldThrow<DeviceException> { allocateStaging(1L shl 50) }.operation shouldBe "cuMemHostAlloc"
                withBuffer(8) { bytes(it).size shouldBe 8 }
            }
        }

        test("running out of memory has its own exception, with the driver's text")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    shouldThrow<OutOfDeviceMemoryException> { allocate(1L shl 50) }.message shouldContain
                        "cuMemAlloc failed on CUDA:0 with 2 (CUDA_ERROR_OUT_OF_MEMORY: out of memory)"
                    shouldThrow<OutOfDeviceMemoryException> { allocateStaging(1L shl 50) }.operation shouldBe
                        "cuMemHostAlloc"
                }
            }

        test("deviceOf throws if the driver fails, and is null for an unknown address")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    val failing = requireNotNull(simulated)
                    withBuffer(8) {
                        for (code in listOf(CUresult.CUDA_ERROR_INVALID_VALUE, CUresult.CUDA_ERROR_INVALID_CONTEXT)) {
                            failing.failNext("cuPointerGetAttributes", code)
                            deviceOf(it.address) shouldBe null
                        }
                        failing.failNext("cuPointerGetAttributes", CUresult.CUDA_ERROR_UNKNOWN)
                        shouldThrow<DeviceException> { deviceOf(it.address) }.operation shouldBe
                            "cuPointerGetAttributes"
                        deviceOf(it.address) shouldBe device
                    }
                }
            }

        test("a driver without pointer attributes uses the device that the caller named")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    CudaDriver(library(without = "cuPointerGetAttributes"), 0).deviceOf(1, device) shouldBe device
                }
            }

        test("a missing GPU is unavailable") {
            for (ordinal in listOf(-1, 99)) {
                shouldThrow<DeviceUnavailableException> { cuda(ordinal) }.message shouldContain
                    "there is no CUDA device $ordinal"
            }
            (CudaRuntime.deviceCount() > 0).shouldBeTrue()
        }

        test("GPUs that can access each other copy directly").config(
            enabledOrReasonIf = {
                if (CudaRuntime.deviceCount() > 1) {
                    Enabled.enabled
                } else {
                    io.kotest.core.test.Enabled
                        .disabled("one GPU only")
                }
            },
        ) {
            balanced {
                cuda(0).use { first ->
                    cuda(1).use { second ->
                        if (!first.canAccess(second.device)) return@balanced
                        first.withBuffer(4) { from ->
                            second.withBuffer(4) { to ->
                                first.fill(from, listOf(1, 2, 3, 4))
                                first.copy(from, 0, to, 0, 4)
                                second.bytes(to) shouldBe listOf<Byte>(1, 2, 3, 4)
                            }
                        }
                    }
                }
            }
        }

        test("memory of a pool is copied to another GPU, although access between contexts does not cover it")
            .config(enabledOrReasonIf = onlySimulated) {
                balanced {
                    requireNotNull(simulated).modes(setOf(SimulatedDriverMode.POOLS_WITHOUT_PEERS))
                    cuda(0).use { first ->
                        cuda(1).use { second ->
                            first.createQueue().use { queue ->
                                second.withBuffer(4) { to ->
                                    val from = first.allocateAsync(4, queue)
                                    first.fill(from, listOf(1, 2, 3, 4), queue)
                                    first.copy(from, 0, to, 0, 4)
                                    second.copy(from, 0, to, 0, 4)
                                    second.bytes(to) shouldBe listOf<Byte>(1, 2, 3, 4)
                                    from.owner.release()
                                }
                            }
                        }
                    }
                    requireNotNull(simulated).modes(setOf())
                }
            }
    })
