package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import jcuda.Pointer
import jcuda.driver.CUcontext
import jcuda.driver.CUdeviceptr
import jcuda.driver.CUevent
import jcuda.driver.CUevent_flags
import jcuda.driver.CUresult
import jcuda.driver.CUstream
import jcuda.driver.JCudaDriver

/** Streams, events, memory and contexts of JCuda and of ours are the same things, in both directions. */
class JCudaTypesTest :
    FunSpec({
        val bytes = listOf<Byte>(1, 2, 3, 4, 5)

        fun ok(code: Int) = code shouldBe CUresult.CUDA_SUCCESS

        fun current(): CUcontext = CUcontext().also { ok(JCudaDriver.cuCtxGetCurrent(it)) }

        test("a stream of JCuda becomes a queue, whose close does not destroy it") {
            withGpu {
                val stream = CUstream()
                inContext { ok(JCudaDriver.cuStreamCreate(stream, 0)) }
                queue(stream).use { queue ->
                    withBuffer(5) { buffer ->
                        fill(buffer, bytes, queue)
                        bytes(buffer) shouldBe bytes
                        record(queue).use { it.await() }
                    }
                    stream(queue) shouldBe stream
                }
                inContext {
                    ok(JCudaDriver.cuStreamSynchronize(stream))
                    ok(JCudaDriver.cuStreamDestroy(stream))
                }
            }
        }

        test("a queue becomes a stream of JCuda, and a buffer a pointer") {
            withGpu {
                createQueue().use { queue ->
                    withBuffer(5) { buffer ->
                        fill(buffer, bytes, queue)
                        val out = ByteArray(5)
                        inContext {
                            ok(JCudaDriver.cuMemsetD8Async(pointer(buffer).withByteOffset(1), 9, 3, stream(queue)))
                            ok(JCudaDriver.cuStreamSynchronize(stream(queue)))
                            ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(out), pointer(buffer), 5))
                        }
                        out.toList() shouldBe listOf<Byte>(1, 9, 9, 9, 5)
                    }
                }
            }
        }

        test("pointers to different memory differ") {
            withGpu {
                withBuffer(64) { one ->
                    pointer(one) shouldBe pointer(one)
                    pointer(one) shouldNotBe pointer(one.slice(8, 8))
                }
            }
        }

        test("memory of JCuda becomes a buffer, at the pointer's offset") {
            withGpu {
                val memory = CUdeviceptr()
                inContext { ok(JCudaDriver.cuMemAlloc(memory, 64)) }
                val owner =
                    object : ReferenceCounted() {
                        override fun free() {
                            inContext { ok(JCudaDriver.cuMemFree(memory)) }
                        }
                    }
                val buffer = buffer(memory.withByteOffset(8), 5, owner)
                fill(buffer, bytes)
                bytes(buffer) shouldBe bytes
                buffer.address shouldBe JCudaTypes.address(memory) + 8
                val out = ByteArray(5)
                inContext { ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(out), memory.withByteOffset(8), 5)) }
                out.toList() shouldBe bytes
                owner.release()
            }
        }

        test("an event of JCuda becomes an event, whose close does not destroy it") {
            withGpu {
                val event = CUevent()
                createQueue().use { queue ->
                    inContext {
                        ok(JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING))
                        ok(JCudaDriver.cuEventRecord(event, stream(queue)))
                    }
                    event(event).use { ours ->
                        ours.await()
                        ours.isComplete().shouldBeTrue()
                        event(ours) shouldBe event
                        waitFor(queue, ours)
                        importEvent(ours.syncEvent).isComplete().shouldBeTrue()
                    }
                    inContext {
                        ok(JCudaDriver.cuEventSynchronize(event))
                        ok(JCudaDriver.cuEventDestroy(event))
                    }
                }
            }
        }

        test("an event becomes an event of JCuda") {
            withGpu {
                createQueue().use { queue ->
                    record(queue).use { event ->
                        inContext { ok(JCudaDriver.cuEventSynchronize(event(event))) }
                    }
                }
            }
        }

        test("queues, events and buffers of other devices are refused") {
            withGpu {
                val cpu = checkNotNull(Devices.find(Device.CPU))
                cpu.withBuffer(8) { buffer ->
                    shouldThrow<IllegalArgumentException> { pointer(buffer) }.message shouldContain "CPU"
                }
                shouldThrow<IllegalArgumentException> { stream(cpu.defaultQueue) }
                shouldThrow<IllegalArgumentException> { event(CUevent()) }
            }
        }

        test(
            "the context is current inside inContext only, and afterwards the program's own, even after a failure",
        ) {
            withGpu {
                val none = current()
                inContext {
                    current() shouldBe context
                    inContext { current() shouldBe context }
                    current() shouldBe context
                }
                shouldThrow<IllegalStateException> { inContext { error("the action's") } }.message shouldBe
                    "the action's"
                current() shouldBe none
            }
        }

        test("our errors are the same if the program lets JCuda throw") {
            withGpu {
                JCudaDriver.setExceptionsEnabled(true)
                try {
                    val failure = shouldThrow<DeviceException> { allocate(1L shl 60) }
                    failure.code shouldBe CUresult.CUDA_ERROR_OUT_OF_MEMORY
                    failure.operation shouldBe "cuMemAlloc"
                } finally {
                    JCudaDriver.setExceptionsEnabled(false)
                }
            }
        }
    })
