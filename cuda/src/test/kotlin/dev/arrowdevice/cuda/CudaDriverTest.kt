package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriverMode
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/**
 * Errors of CUDA's driver become an exception with all details, contexts stay balanced, and nothing leaks. That copies are
 * queued and copy the right bytes is in the contract, testkit's `CopyCases`, which [CudaContractTest] runs.
 */
class CudaDriverTest :
    FunSpec({
        fun fault(
            name: String,
            test: CudaRuntime.(SimulatedDriver) -> Unit,
        ) = test(name).config(enabledOrReasonIf = onlySimulated) {
            val driver = checkNotNull(simulated)
            try {
                withGpu { test(driver) }
            } finally {
                driver.reset()
            }
        }

        /** The failures of releases, which nobody can be thrown. */
        fun late(action: () -> Unit): List<String> {
            val failures = CopyOnWriteArrayList<String>()
            val before = Diagnostics.onLateFailure { failures += it.operation }
            try {
                action()
            } finally {
                Diagnostics.onLateFailure(before)
            }
            return failures
        }

        val calls: Map<String, CudaRuntime.() -> Unit> =
            mapOf(
                "cuCtxPushCurrent" to { allocate(1) },
                "cuMemAlloc" to { allocate(1) },
                "cuMemHostAlloc" to { allocateStaging(1) },
                "cuMemAllocManaged" to { driver.allocate(MemoryKind.MANAGED, 64) },
                "cuMemAllocAsync" to { createQueue().use { allocateAsync(1, it) } },
                "cuMemGetInfo" to { memoryInfo },
                "cuStreamCreate" to { createQueue() },
                "cuStreamSynchronize" to { createQueue().use { it.synchronize() } },
                "cuStreamGetCtx" to { createQueue().use { record(it) } },
                "cuEventCreate" to { createQueue().use { record(it) } },
                "cuEventRecord" to { createQueue().use { record(it) } },
                "cuEventQuery" to { createQueue().use { queue -> record(queue).use { it.isComplete() } } },
                "cuEventSynchronize" to { createQueue().use { queue -> record(queue).use { it.await() } } },
                "cuStreamWaitEvent" to { createQueue().use { queue -> record(queue).use { waitFor(queue, it) } } },
                "cuMemcpyHtoDAsync" to { withBuffer(4) { fill(it, listOf(1, 2, 3, 4)) } },
                "cuMemcpyDtoHAsync" to { withBuffer(4) { bytes(it) } },
                "cuMemcpyAsync" to { withBuffer(8) { copy(it, 0, it, 4, 4) } },
            )
        calls.forEach { (function, call) ->
            fault("a failing $function throws, and leaves no memory or context behind") { driver ->
                inContext { }
                driver.failNext(function, SimulatedDriver.LAUNCH_FAILED)
                val failure = shouldThrow<DeviceException> { call() }
                failure.operation shouldBe function
                failure.code shouldBe SimulatedDriver.LAUNCH_FAILED
                failure.message shouldContain "CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure"
                driver.counters().contextsPushed() shouldBe 0
                withBuffer(4) { bytes(it).size shouldBe 4 }
            }
        }

        fault("a failure to get the context is thrown, and the next call tries again") { driver ->
            val own = CudaDriver(library(), 1)
            driver.failNext("cuDevicePrimaryCtxRetain", SimulatedDriver.OUT_OF_MEMORY)
            shouldThrow<OutOfDeviceMemoryException> { own.createQueue() }.operation shouldBe
                "cuDevicePrimaryCtxRetain"
            own.destroyQueue(own.createQueue())
            own.close()
        }

        fault(
            "finding GPUs takes none of their memory: the first use creates the context, and the driver's close releases it",
        ) { driver ->
            val before = driver.counters().contextsRetained()
            val own = CudaDriver(library(), 1)
            own.hasMemory(MemoryKind.MANAGED).shouldBeTrue()
            driver.counters().contextsRetained() shouldBe before
            own.memoryInfo()
            driver.counters().contextsRetained() shouldBe before + 1
            own.close()
            driver.counters().contextsRetained() shouldBe before
        }

        fault("running out of memory on a small GPU throws OutOfDeviceMemoryException") { driver ->
            driver.deviceBytes(1 shl 20)
            withBuffer(1 shl 19) {
                shouldThrow<OutOfDeviceMemoryException> { allocate(1 shl 20) }.code shouldBe
                    SimulatedDriver.OUT_OF_MEMORY
            }
            withBuffer(1 shl 20) { it.byteSize shouldBe (1L shl 20) }
        }

        fault("each call of a lost GPU throws, and its memory, events and queues are still freed") { driver ->
            val buffer = allocate(64)
            val queue = createQueue()
            val event = record(queue)
            driver.loseDevice(0, ECC_UNCORRECTABLE)
            for (call in listOf({ queue.synchronize() }, { event.await() }, { allocate(1) }, { record(queue) })) {
                val failure = shouldThrow<DeviceException> { call() }
                failure.code shouldBe ECC_UNCORRECTABLE
                failure.message shouldContain "CUDA_ERROR_ECC_UNCORRECTABLE"
            }
            val failures =
                late {
                    event.close()
                    queue.close()
                    buffer.owner.release()
                }
            failures shouldBe listOf("cuEventDestroy", "cuStreamDestroy", "cuMemFree")
        }

        fault("work that fails is reported by the call that waits, and the action after it still runs") { driver ->
            driver.pauseAll()
            val ran = CountDownLatch(1)
            createQueue().use { queue ->
                val buffer = allocate(4)
                val host = allocateStaging(4)
                copyAsync(host, 0, buffer, 0, 4, queue)
                val event = record(queue)
                driver.failCopy(SimulatedDriver.ILLEGAL_ADDRESS, 0)
                event.isComplete().shouldBeFalse()
                event.whenComplete { ran.countDown() }
                driver.resumeAll()
                shouldThrow<DeviceException> { event.await() }.code shouldBe SimulatedDriver.ILLEGAL_ADDRESS
                ran.await(10, TimeUnit.SECONDS).shouldBeTrue()
                shouldThrow<DeviceException> { event.isComplete() }
                late {
                    event.close()
                    buffer.owner.release()
                    host.owner.release()
                    queue.close()
                }.shouldNotBeEmpty()
            }
            driver.clearErrors()
        }

        fault(
            "an error that outlives the context: everything of ours is given back, and the GPU stays unusable",
        ) { driver ->
            driver.modes(setOf(SimulatedDriverMode.STICKY_ERRORS))
            val before = driver.counters()
            val own = CudaDriver(library(), 1)
            val address = own.allocate(MemoryKind.DEVICE, 64)
            val host = own.allocate(MemoryKind.HOST, 64)
            val queue = own.createQueue()
            driver.failCopy(SimulatedDriver.ILLEGAL_ADDRESS, 0)
            own.copyAsync(Device(DeviceType.CUDA_HOST, 1), host, own.device(), address, 64, queue)
            shouldThrow<DeviceException> { own.synchronize(queue) }.isWorkFailure.shouldBeTrue()
            for (free in listOf(
                { own.free(MemoryKind.DEVICE, address) },
                { own.free(MemoryKind.HOST, host) },
                { own.destroyQueue(queue) },
            )) {
                shouldThrow<DeviceException> { free() }.code shouldBe SimulatedDriver.ILLEGAL_ADDRESS
            }
            own.close()
            driver.awaitIdle(Duration.ofSeconds(5)) shouldBe 0
            driver.counters().unbalancedSince(before).shouldBeEmpty()
            val again = CudaDriver(library(), 1)
            shouldThrow<DeviceException> { again.createQueue() }.operation shouldBe "cuDevicePrimaryCtxRetain"
            driver.clearErrors()
            again.destroyQueue(again.createQueue())
            again.close()
        }

        test("errors of the device are failures of work; refusals and unclear codes are not") {
            (0..1000).filter(CudaCalls::isOfWork) shouldBe
                listOf(214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911)
        }

        fault(
            "actions wait without callbacks and streams of CUDA, and one that never runs holds up no other",
        ) { driver ->
            createQueue().use { never ->
                createQueue().use { queue ->
                    driver.pause(never.handle)
                    driver.pause(queue.handle)
                    driver.forget()
                    val before = driver.counters()
                    val stuck = CountDownLatch(1)
                    val called = CountDownLatch(100)
                    record(never).use { it.whenComplete(stuck::countDown) }
                    repeat(100) { record(queue).use { it.whenComplete(called::countDown) } }
                    driver.counters().streams() shouldBe before.streams()
                    driver.counters().callbacksPending() shouldBe 0
                    driver.resume(queue.handle)
                    called.await(10, TimeUnit.SECONDS).shouldBeTrue()
                    stuck.count shouldBe 1
                    driver.resume(never.handle)
                    stuck.await(10, TimeUnit.SECONDS).shouldBeTrue()
                }
            }
        }

        fault("an action whose event the driver refuses to report runs once it does") { driver ->
            createQueue().use { queue ->
                driver.pause(queue.handle)
                val called = CountDownLatch(1)
                record(queue).use { it.whenComplete(called::countDown) }
                driver.failNext("cuEventQuery", SimulatedDriver.INVALID_VALUE)
                driver.failNext("cuEventSynchronize", SimulatedDriver.INVALID_VALUE)
                driver.resume(queue.handle)
                called.await(10, TimeUnit.SECONDS).shouldBeTrue()
                driver.clearErrors()
            }
        }

        fault("memory released in an action is freed on another thread") { driver ->
            val queue = createQueue()
            val buffer = allocate(64)
            val staging = allocateStaging(64)
            driver.pause(queue.handle)
            val ordered = allocateAsync(64, queue)
            val event = record(queue)
            val thread = CompletableFuture<Thread>()
            event.whenComplete {
                event.close()
                ordered.owner.release()
                queue.close()
                buffer.owner.release()
                staging.owner.release()
                thread.complete(Thread.currentThread())
            }
            driver.resume(queue.handle)
            thread.get(10, TimeUnit.SECONDS).isDaemon.shouldBeTrue()
        }

        fault("memory released in a foreign callback, where calls may block, is freed on another thread") { driver ->
            driver.modes(setOf(SimulatedDriverMode.WAITING_IN_CALLBACKS))
            val buffer = allocate(64)
            val queue = createQueue()
            val released = CountDownLatch(1)
            HostCallback.launch(driver, queue.handle) {
                buffer.owner.release()
                released.countDown()
            }
            released.await(10, TimeUnit.SECONDS).shouldBeTrue()
            queue.synchronize()
            queue.close()
            driver.awaitIdle(Duration.ofSeconds(5)) shouldBe 0
        }

        fault("an event belongs to the context of its stream, which may be foreign") { driver ->
            cuda(1).use { other ->
                other.createQueue().use { queue ->
                    record(importQueue(queue.handle)).use { it.await() }
                }
            }
            driver.violations().shouldBeEmpty()
        }

        fault("the driver is called in the order of our calls") { driver ->
            inContext { }
            driver.forget()
            createQueue().use { queue ->
                withBuffer(4) { buffer ->
                    fill(buffer, listOf(1, 2, 3, 4), queue)
                    record(queue).use { it.await() }
                }
            }
            driver.trace().map { it.split(' ')[1] }.filter { it != "ran" } shouldBe
                listOf(
                    "cuStreamCreate",
                    "cuMemAlloc_v2",
                    "cuMemHostAlloc",
                    "cuMemcpyHtoDAsync_v2",
                    "cuStreamSynchronize",
                    "cuMemFreeHost",
                    "cuStreamGetCtx",
                    "cuEventCreate",
                    "cuEventRecord",
                    "cuEventSynchronize",
                    "cuEventDestroy_v2",
                    "cuMemFree_v2",
                    "cuStreamDestroy_v2",
                )
        }
    })

private const val ECC_UNCORRECTABLE = 214
