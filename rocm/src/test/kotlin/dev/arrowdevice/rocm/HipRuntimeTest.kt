package dev.arrowdevice.rocm

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.SimulatedDriverMode
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType.methodType
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS

class HipRuntimeTest :
    FunSpec({
        onEachHip("a GPU is two devices, its own memory and pinned memory") {
            open(1) { gpu ->
                gpu.device shouldBe Device(DeviceType.ROCM, 1)
                gpu.isHostReadable.shouldBeFalse()
                gpu.hipVersion / 10_000_000 shouldBe face.version()
                roundTrip(gpu, byteArrayOf(3, 1, 4)) shouldBe byteArrayOf(3, 1, 4)
            }
            open(1, MemoryKind.HOST) { pinned ->
                pinned.device shouldBe Device(DeviceType.ROCM_HOST, 1)
                pinned.isHostReadable.shouldBeTrue()
                roundTrip(pinned, byteArrayOf(1, 5, 9)) shouldBe byteArrayOf(1, 5, 9)
            }
            shouldThrow<IllegalArgumentException> { open(0, MemoryKind.MANAGED) { } }
        }

        onEachHip("foreign memory of HIP becomes a buffer, and foreign code finds the GPU current") {
            open(1) { gpu ->
                gpu.onDevice { currentDevice() } shouldBe 1
                shouldThrow<NoSuchElementException> { gpu.onDevice { throw NoSuchElementException() } }
                currentDevice() shouldBe 0
                gpu.allocate(64).lend { known ->
                    gpu.memoryKind(known.address) shouldBe MemoryKind.DEVICE
                    val buffer = gpu.buffer(known.address, 64, known.owner)
                    gpu.allocateStaging(64).lend { gpu.copy(buffer, 0, it, 0, 64) }
                    buffer.device shouldBe gpu.device
                }
            }
            open(0, MemoryKind.HOST) { pinned ->
                pinned.allocate(64).lend { known ->
                    pinned.memoryKind(known.address) shouldBe MemoryKind.HOST
                    pinned.buffer(known.address, 64, known.owner).memory().getByte(0) shouldBe
                        getBytes(known.address, 1)[0]
                }
            }
        }

        onEachHip("two runtimes of a GPU share queues and memory, and are closed separately") {
            open { first ->
                val queue = open { second -> second.createQueue() }
                queue.use { first.record(it).use { event -> event.await() } }
                shouldThrow<IllegalStateException> { open { it }.createQueue() }.message shouldContain "closed"
                shouldThrow<IllegalStateException> { open { it }.onDevice { } }.message shouldContain "closed"
                roundTrip(first, byteArrayOf(9)) shouldBe byteArrayOf(9)
            }
        }

        onEachHip("memory, queues and events stay usable after their GPU was closed, and are freed later") {
            val (buffer, queue) = open { gpu -> gpu.allocate(64) to gpu.createQueue() }
            queue.synchronize()
            queue.close()
            driver.counters().deviceAllocations() shouldBe 1
            buffer.owner.release()
        }

        onEachHip("a sync_event points to the event's handle, which foreign code waits for") {
            open { gpu ->
                gpu.createQueue().use { queue ->
                    driver.pause(queue.handle)
                    gpu.record(queue).use { event ->
                        event.syncEvent shouldNotBe 0L
                        gpu.importEvent(event.syncEvent).use { imported ->
                            imported.isComplete.shouldBeFalse()
                            driver.resume(queue.handle)
                            imported.await()
                            imported.isComplete.shouldBeTrue()
                        }
                        event.isComplete.shouldBeTrue()
                    }
                }
            }
        }

        onEachHip("memory released on a thread of HIP is freed on another one") {
            open { gpu ->
                val queue = gpu.createQueue()
                val buffer = gpu.allocate(64)
                val staging = gpu.allocateStaging(64)
                driver.pause(queue.handle)
                val ordered = gpu.allocateAsync(64, queue)
                val event = gpu.record(queue)
                val thread = CompletableFuture<Thread>()
                event.whenComplete {
                    event.close()
                    ordered.owner.release()
                    queue.close()
                    buffer.owner.release()
                    staging.owner.release()
                    thread.complete(Thread.currentThread())
                }
                driver.counters().deviceAllocations() shouldBe 1
                driver.resume(queue.handle)
                thread.get(5, SECONDS).isDaemon.shouldBeTrue()
            }
        }

        onEachHip(
            "memory released in a foreign callback, where HIP may wait for the callback, is freed on another thread",
        ) {
            driver.modes(setOf(SimulatedDriverMode.WAITING_IN_CALLBACKS))
            open { gpu ->
                val buffer = gpu.allocate(64)
                val queue = gpu.createQueue()
                val released = CountDownLatch(1)
                callBack(queue.handle) {
                    buffer.owner.release()
                    released.countDown()
                }
                released.await(5, SECONDS).shouldBeTrue()
                queue.synchronize()
                queue.close()
            }
            driver.awaitIdle(Duration.ofSeconds(5)) shouldBe 0
        }

        onEachHip("a missing GPU can't be opened, and the message has the number of GPUs") {
            shouldThrow<DeviceUnavailableException> { open(2) {} }.message shouldContain "HIP numbers its 2 from 0"
            shouldThrow<DeviceUnavailableException> { open(-1) {} }
        }

        test("rocm(0) opens the first GPU of the HIP runtime in ROCM_PATH, and Devices finds it too") {
            hipLibraries.forEach { face ->
                val output = FreshJvm(RocmPath.of(face)).run(OpensGpu::class)
                output[0] shouldStartWith "opened ROCM:0 (Simulated HIP device 0, HIP ${face.version()}."
                output.drop(1) shouldBe
                    listOf(
                        "copied 5",
                        "opened ROCM_HOST:0",
                        "copied 6",
                        "registered ROCM:0 ROCM:1 ROCM_HOST:0 ROCM_HOST:1",
                    )
            }
        }
    })

/** As a C program puts a callback on its stream, with nothing of ours between. */
private fun SimulatedHip.callBack(
    stream: Long,
    action: Runnable,
) {
    val run = MethodHandles.lookup().findVirtual(Runnable::class.java, "run", methodType(Void.TYPE)).bindTo(action)
    val callback =
        Linker.nativeLinker().upcallStub(
            MethodHandles.dropArguments(run, 0, Long::class.java, Int::class.java, Long::class.java),
            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG),
            Arena.global(),
        )
    check(extras(library.name()).calls.hipStreamAddCallback(stream, callback.address(), 0L, 0) == 0)
}
