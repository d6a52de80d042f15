package dev.arrowdevice.rocm

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.spi.AddressRange
import dev.arrowdevice.spi.MemoryInfo
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeFunctions.Optional
import dev.arrowdevice.testkit.SimulatedDriver.ILLEGAL_ADDRESS
import dev.arrowdevice.testkit.SimulatedDriver.INVALID_VALUE
import dev.arrowdevice.testkit.SimulatedDriver.Library
import dev.arrowdevice.testkit.SimulatedDriver.OUT_OF_MEMORY
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS

/**
 * The differences between versions of HIP, and between HIP and CUDA. The contract of all devices is in another test.
 */
class HipDriverTest :
    FunSpec({
        onEachHip("the version is reported") {
            library.major() shouldBe face.version()
            driverOf().description() shouldBe "Simulated HIP device 0, HIP ${library.versionText()}"
            library.versionText() shouldBe mapOf(5 to "5.2.21153", 6 to "6.3.42134", 7 to "7.0.51831")[face.version()]
        }

        onEachHip("a thread keeps its current device, even if a call fails") {
            val second = driverOf(1)
            for (mine in listOf(0, 1)) {
                makeCurrent(mine)
                second.with(MemoryKind.DEVICE, 64) { currentDevice() shouldBe mine }
                second.destroyQueue(second.createQueue())
                driver.failNext("hipMalloc", INVALID_VALUE)
                shouldThrow<DeviceException> { second.allocate(MemoryKind.DEVICE, 64) }
                currentDevice() shouldBe mine
            }
            makeCurrent(0)
            second.with(MemoryKind.DEVICE, 64) { driver.live().single { "memory" in it } shouldContain "device 1" }
        }

        onEachHip("our errors do not become the thread's last error") {
            val hip = driverOf()
            val queue = hip.createQueue()
            driver.pause(queue)
            val event = hip.recordEvent(queue)
            hip.isComplete(event).shouldBeFalse()
            library.api.hipPeekAtLastError() shouldBe 0
            driver.failNext("hipMalloc", INVALID_VALUE)
            shouldThrow<DeviceException> { hip.allocate(MemoryKind.DEVICE, 64) }
            library.api.hipPeekAtLastError() shouldBe 0
            driver.resume(queue)
            hip.await(event)
            hip.isComplete(event).shouldBeTrue()
            hip.destroyEvent(event)
            hip.destroyQueue(queue)
        }

        onEachHip("a failure has the function, the code, HIP's name of it and its text") {
            driver.failNext("hipMalloc", ILLEGAL_ADDRESS)
            val failure = shouldThrow<DeviceException> { driverOf().allocate(MemoryKind.DEVICE, 64) }
            failure.code shouldBe ILLEGAL_ADDRESS
            failure.device shouldBe Device(DeviceType.ROCM, 0)
            failure.message shouldBe "hipMalloc failed on ROCM:0 with 700 " +
                "(hipErrorIllegalAddress: an illegal memory access was encountered)"
        }

        onEachHip("running out of memory has its own exception, for each kind") {
            driver.deviceBytes(4096)
            driver.pinnedBytes(4096)
            val hip = driverOf()
            for (kind in listOf(MemoryKind.DEVICE, MemoryKind.HOST)) {
                shouldThrow<OutOfDeviceMemoryException> { hip.allocate(kind, 4097) }.code shouldBe OUT_OF_MEMORY
            }
            shouldThrow<OutOfDeviceMemoryException> { hip.allocateAsync(4097, 0) }
            hip.with(MemoryKind.DEVICE, 4096) { hip.memoryInfo() shouldBe MemoryInfo(0, 4096) }
        }

        onEachHip("queue-ordered and managed memory are available only if the device has them") {
            driverOf().hasQueueOrderedMemory().shouldBeTrue()
            driver.memoryPools(false)
            driver.managedMemory(false)
            driverOf().hasQueueOrderedMemory().shouldBeFalse()
            driverOf().hasMemory(MemoryKind.MANAGED).shouldBeFalse()
        }

        onEachHip("a property turns queue-ordered memory off") {
            System.setProperty(HipDriver.POOLS, "false")
            try {
                driverOf().hasQueueOrderedMemory().shouldBeFalse()
            } finally {
                System.clearProperty(HipDriver.POOLS)
            }
        }

        onEachHip("an event that can't be recorded is destroyed") {
            driver.failNext("hipEventRecord", INVALID_VALUE)
            shouldThrow<DeviceException> { driverOf().recordEvent(0) }.operation shouldBe "hipEventRecord"
            driver.counters().events() shouldBe 0
        }

        onEachHip("GPUs access each other's memory if they can, and all pinned memory") {
            val hip = driverOf()
            hip.canAccessPeer(Device(DeviceType.ROCM, 0)).shouldBeTrue()
            hip.canAccessPeer(Device(DeviceType.ROCM, 1)).shouldBeTrue()
            hip.canAccessPeer(Device(DeviceType.ROCM, 2)).shouldBeFalse()
            hip.canAccessPeer(Device(DeviceType.ROCM_HOST, 1)).shouldBeTrue()
            hip.canAccessPeer(Device(DeviceType.CUDA, 0)).shouldBeFalse()
            driver.peerAccess(false)
            driverOf().canAccessPeer(Device(DeviceType.ROCM, 1)).shouldBeFalse()
        }

        onEachHip("memory is copied from one GPU to another") {
            val first = driverOf(0)
            val second = driverOf(1)
            first.canAccessPeer(second.device()).shouldBeTrue()
            first.with(MemoryKind.DEVICE, 64) { from ->
                second.with(MemoryKind.DEVICE, 64) { to ->
                    driver.poke(from, byteArrayOf(7))
                    first.copyAsync(first.device(), from, second.device(), to, 64, 0)
                    first.synchronize(0)
                    driver.peek(to, 1).single() shouldBe 7
                }
            }
        }

        onEachHip("bytes are copied between pinned, ordinary and managed memory") {
            val hip = driverOf()
            val pinned = Device(DeviceType.ROCM_HOST, 0)
            Arena.ofConfined().use { arena ->
                val ordinary = arena.allocate(64).address()
                putByte(ordinary, 5)
                hip.with(MemoryKind.HOST, 64) { host ->
                    hip.with(MemoryKind.MANAGED, 64) { managed ->
                        hip.copyAsync(Device.CPU, ordinary, pinned, host, 64, 0)
                        hip.copyAsync(pinned, host, hip.device(), managed, 64, 0)
                        hip.copyAsync(hip.device(), managed, Device.CPU, ordinary + 1, 1, 0)
                        hip.copyAsync(pinned, host, Device.CPU, ordinary + 2, 1, 0)
                        hip.synchronize(0)
                    }
                }
                getBytes(ordinary, 3) shouldBe byteArrayOf(5, 5, 5)
            }
        }

        onEachHip("a queue does not wait for the default queue") {
            open { gpu ->
                checkNotNull(HeldStreams.of(gpu, library.name())).use { held ->
                    val letGo = held.hold(0)
                    try {
                        gpu.createQueue().use { queue ->
                            gpu.record(queue).use { event ->
                                CompletableFuture.runAsync(event::await).get(5, SECONDS)
                            }
                        }
                    } finally {
                        letGo.run()
                    }
                    gpu.defaultQueue.synchronize()
                }
            }
        }

        onEachHip("an event whose work has failed is not pending") {
            val hip = driverOf()
            val event = hip.recordEvent(0)
            driver.failNext("hipEventQuery", ILLEGAL_ADDRESS)
            shouldThrow<DeviceException> { hip.isComplete(event) }.operation shouldBe "hipEventQuery"
            hip.destroyEvent(event)
        }

        test("errors of the device are failures of work; refusals and unclear codes are not") {
            (0..2000).filter(HipCalls::isOfWork) shouldBe listOf(214, 700, 702, 710, 719)
        }

        onEachHip("a lost GPU fails each call, and its memory, events and queues are still freed") {
            val hip = driverOf(1)
            val address = hip.allocate(MemoryKind.DEVICE, 64)
            val queue = hip.createQueue()
            val event = hip.recordEvent(queue)
            hip.await(event)
            driver.loseDevice(1, ILLEGAL_ADDRESS)
            shouldThrow<DeviceException> { hip.allocate(MemoryKind.DEVICE, 64) }.code shouldBe ILLEGAL_ADDRESS
            shouldThrow<DeviceException> { hip.isComplete(event) }.code shouldBe ILLEGAL_ADDRESS
            for (free in listOf(
                { hip.free(MemoryKind.DEVICE, address) },
                { hip.destroyEvent(event) },
                { hip.destroyQueue(queue) },
            )) {
                shouldThrow<DeviceException> { free() }.code shouldBe ILLEGAL_ADDRESS
            }
            currentDevice() shouldBe 0
        }

        onEachHip("an action runs after the work, without a callback of HIP") {
            open { gpu ->
                gpu.createQueue().use { queue ->
                    driver.pause(queue.handle)
                    val done = CountDownLatch(1)
                    gpu.record(queue).use { it.whenComplete(done::countDown) }
                    driver.counters().callbacksPending() shouldBe 0
                    driver.resume(queue.handle)
                    done.await(5, SECONDS).shouldBeTrue()
                }
            }
        }

        context("functions that a HIP runtime may lack") {
            val optional =
                HipApi::class.java.methods
                    .filter {
                        it.isAnnotationPresent(
                            Optional::class.java,
                        )
                    }.map { it.name }
            test("are not needed to allocate, copy and wait") {
                checked(Library.ROCM_6, optional.toSet()) {
                    open { gpu ->
                        roundTrip(gpu, byteArrayOf(1, 2, 3)) shouldBe byteArrayOf(1, 2, 3)
                        gpu.memoryInfo shouldBe null
                        gpu.description shouldContain "AMD GPU"
                        gpu.canAccess(Device(DeviceType.ROCM, 1)).shouldBeFalse()
                        gpu.deviceOf(1) shouldBe gpu.device
                        gpu.allocate(64).lend { gpu.allocationOf(it.address) shouldBe null }
                        gpu.createQueue().use { queue -> gpu.allocateAsync(64, queue).lend { } }
                        shouldThrow<IllegalStateException> { gpu.memoryKind(1) }
                            .message shouldContain "hipPointerGetAttributes"
                    }
                }
            }
        }

        onEachHip("work that fails later is reported by the call that waits") {
            val hip = driverOf()
            hip.with(MemoryKind.HOST, 64) { host ->
                val address = hip.allocate(MemoryKind.DEVICE, 64)
                driver.failCopy(ILLEGAL_ADDRESS, 0)
                hip.copyAsync(Device(DeviceType.ROCM_HOST, 0), host, hip.device(), address, 64, 0)
                shouldThrow<DeviceException> { hip.synchronize(0) }.code shouldBe ILLEGAL_ADDRESS
                driver.clearErrors()
                hip.free(MemoryKind.DEVICE, address)
            }
        }
    })
