package dev.arrowdevice.testkit.device

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.HostMemory
import dev.arrowdevice.spi.MemoryInfo
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainInOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

private fun DeviceBuffer.release() = owner.release()

/** A device for a test. At the end its memory, queues and events were released, and no mistake was made. */
private fun withDevice(
    builder: SimulatedDevice.Builder = SimulatedDevice.builder(0),
    body: SimulatedDevice.() -> Unit,
) = ReleaseBalance.start().use { builder.open().use(body) }

/** Staging memory of these bytes. */
private fun SimulatedDevice.staged(vararg bytes: Byte): DeviceBuffer =
    runtime().allocateStaging(bytes.size.toLong()).also { it.memory().put(0, bytes, 0, bytes.size) }

private fun DeviceBuffer.bytes(): List<Byte> =
    ByteArray(byteSize.toInt()).also { memory().get(0, it, 0, it.size) }.toList()

/** A mistake must be taken, or closing the device fails. */
private fun SimulatedDevice.misuse(): String = takeMisuse().also { it shouldHaveSize 1 }.single()

class SimulatedDeviceTest :
    FunSpec({
        test("it is registered as an extension device while it is open") {
            withDevice {
                device() shouldBe Device(DeviceType.EXT_DEV, 0)
                Devices.find(device()) shouldBe runtime()
                shouldThrow<IllegalStateException> { SimulatedDevice.open(0) }.message shouldContain "EXT_DEV:0"
            }
            Devices.find(Device(DeviceType.EXT_DEV, 0)) shouldBe null
        }

        test("bytes are copied to the device and back, and the host can't read them there") {
            withDevice {
                val source = staged(1, 2, 3)
                val there = runtime().allocate(3)
                val back = runtime().allocateStaging(3)
                runtime().copy(source, 0, there, 0, 3)
                runtime().copy(there, 0, back, 0, 3)
                back.bytes() shouldBe listOf<Byte>(1, 2, 3)
                shouldThrow<UnreadableDeviceException> { there.memory() }
                there.address shouldBeGreaterThan (1L shl 48)
                listOf(source, there, back).forEach { it.release() }
            }
        }

        test("a paused queue does nothing until it is resumed, and another one goes on") {
            withDevice {
                val source = staged(7)
                val first = runtime().allocate(1)
                val second = runtime().allocate(1)
                val other = runtime().createQueue()
                pause(runtime().defaultQueue)
                runtime().copyAsync(source, 0, first, 0, 1, runtime().defaultQueue)
                val pending = runtime().record(runtime().defaultQueue)
                runtime().copyAsync(source, 0, second, 0, 1, other)
                other.synchronize()
                pending.isComplete() shouldBe false
                resume(runtime().defaultQueue)
                pending.await()
                pending.isComplete() shouldBe true
                pending.close()
                other.close()
                listOf(source, first, second).forEach { it.release() }
            }
        }

        test("a kernel computes on the queue's thread, in order") {
            withDevice {
                val source = staged(1, 2, 3)
                val there = runtime().allocate(3)
                val queue = runtime().createQueue()
                var thread: Thread? = null
                runtime().copyAsync(source, 0, there, 0, 3, queue)
                launch(queue, listOf(there)) { (memory) ->
                    thread = Thread.currentThread()
                    repeat(3) { memory.putByte(it.toLong(), (memory.getByte(it.toLong()) * 10).toByte()) }
                }
                runtime().copyAsync(there, 0, source, 0, 3, queue)
                queue.synchronize()
                source.bytes() shouldBe listOf<Byte>(10, 20, 30)
                thread!!.name shouldContain "simulated-0-"
                queue.close()
                listOf(source, there).forEach { it.release() }
            }
        }

        test("a kernel's memory is inaccessible after it") {
            withDevice {
                val buffer = runtime().allocate(8)
                var kept: HostMemory? = null
                launch(runtime().defaultQueue, listOf(buffer)) { kept = it[0] }
                runtime().defaultQueue.synchronize()
                shouldThrow<IllegalStateException> { kept!!.getByte(0) }
                buffer.release()
            }
        }

        test("a kernel that throws is a failure that is reported once") {
            withDevice {
                launch(runtime().defaultQueue, listOf()) { error("division by zero") }
                val e = shouldThrow<DeviceException> { runtime().defaultQueue.synchronize() }
                e.message shouldContain "division by zero"
                runtime().defaultQueue.synchronize()
            }
        }

        test("memory has a limit, and freed memory can be allocated again") {
            withDevice(SimulatedDevice.builder(0).memory(256)) {
                val buffer = runtime().allocate(129)
                runtime().memoryInfo shouldBe MemoryInfo(64, 256)
                shouldThrow<OutOfDeviceMemoryException> { runtime().allocate(65) }.message shouldContain "64 free"
                buffer.release()
                runtime().allocate(256).release()
            }
        }

        test("a fault hits the requested operation, once") {
            withDevice {
                failNext(Operation.ALLOCATE)
                failLater(Operation.RECORD_EVENT, 1)
                runtime().record(runtime().defaultQueue).close()
                shouldThrow<DeviceException> { runtime().record(runtime().defaultQueue) }.operation shouldBe
                    "record_event"
                shouldThrow<OutOfDeviceMemoryException> { runtime().allocate(1) }
                runtime().allocate(1).release()
                clearFaults() shouldBe 0
            }
        }

        test("a failed copy fails the work behind it, and work that waits for that elsewhere, until it was reported") {
            withDevice {
                val source = staged(5)
                val target = staged(0)
                val there = runtime().allocate(1)
                val queue = runtime().createQueue()
                val waiting = runtime().createQueue()
                runtime().copy(source, 0, there, 0, 1)
                pause(queue)
                failNext(Operation.COPY)
                runtime().copyAsync(source, 0, there, 0, 1, queue)
                val failed = runtime().record(queue)
                runtime().waitFor(waiting, failed)
                runtime().copyAsync(there, 0, target, 0, 1, waiting)
                resume(queue)
                shouldThrow<DeviceException> { waiting.synchronize() }
                target.bytes() shouldBe listOf<Byte>(0)
                shouldThrow<DeviceException> { failed.await() }
                runtime().copyAsync(there, 0, target, 0, 1, queue)
                queue.synchronize()
                target.bytes() shouldBe listOf<Byte>(5)
                failed.close()
                queue.close()
                waiting.close()
                listOf(source, target, there).forEach { it.release() }
            }
        }

        test("a lost device fails pending work and all calls, and ends all waits") {
            val late = ConcurrentLinkedQueue<String>()
            val before = Diagnostics.onLateFailure { late += it.message!! }
            withDevice {
                val queue = runtime().createQueue()
                pause(queue)
                val event = runtime().record(queue)
                val called = CountDownLatch(1)
                event.whenComplete { called.countDown() }
                lose()
                called.await()
                shouldThrow<DeviceException> { queue.synchronize() }.message shouldContain "DEVICE_LOST"
                shouldThrow<DeviceException> { runtime().allocate(1) }
                event.close()
                queue.close()
            }
            Diagnostics.onLateFailure(before)
            late.first() shouldContain "destroy_event failed on EXT_DEV:0 with 46 (DEVICE_LOST"
        }

        test("memory used by work of a lost device may be freed, because nobody can wait for that work") {
            withDevice {
                val buffer = runtime().allocate(8)
                val begun = CountDownLatch(1)
                val end = CountDownLatch(1)
                val queue = runtime().createQueue()
                launch(queue, listOf(buffer)) { (memory) ->
                    begun.countDown()
                    end.await()
                    memory.putLong(0, 1)
                }
                begun.await()
                lose()
                buffer.release()
                end.countDown()
                queue.close()
                takeMisuse().shouldBeEmpty()
            }
        }

        test("a lost device does not wait for another one") {
            val before = Diagnostics.onLateFailure { }
            withDevice {
                SimulatedDevice.open(1).use { other ->
                    val there = other.runtime().createQueue()
                    other.pause(there)
                    val event = other.runtime().record(there)
                    val called = CountDownLatch(1)
                    runtime().waitFor(runtime().defaultQueue, event)
                    runtime().driver.callAfter(runtime().driver.defaultQueue()) { called.countDown() }
                    lose()
                    called.await(10, TimeUnit.SECONDS) shouldBe true
                    other.resume(there)
                    event.close()
                    there.close()
                }
            }
            Diagnostics.onLateFailure(before)
        }

        test("the trace has all operations in order") {
            withDevice {
                val buffer = runtime().allocate(64)
                launch(runtime().defaultQueue, listOf(buffer)) {}
                runtime().defaultQueue.synchronize()
                buffer.release()
                val steps = trace().map { it.operation() to it.phase() }
                steps.shouldContainInOrder(
                    Operation.ALLOCATE to Phase.CALLED,
                    Operation.LAUNCH to Phase.CALLED,
                    Operation.KERNEL to Phase.STARTED,
                    Operation.KERNEL to Phase.DONE,
                    Operation.FREE to Phase.CALLED,
                )
                trace().map { it.nanos() }.zipWithNext().forEach { (a, b) -> (b - a >= 0) shouldBe true }
            }
        }

        test("peers access each other's memory, other devices don't") {
            withDevice {
                SimulatedDevice.open(1).use { other ->
                    val here = runtime().allocate(1)
                    val there = other.runtime().allocate(1)
                    runtime().canAccess(other.device()) shouldBe false
                    shouldThrow<IllegalArgumentException> { runtime().copy(here, 0, there, 0, 1) }
                    connect(other)
                    runtime().canAccess(other.device()) shouldBe true
                    other.runtime().canAccess(device()) shouldBe true
                    val source = staged(9)
                    runtime().copy(source, 0, here, 0, 1)
                    runtime().copy(here, 0, there, 0, 1)
                    other.runtime().copy(there, 0, source, 0, 1)
                    source.bytes() shouldBe listOf<Byte>(9)
                    listOf(here, there, source).forEach { it.release() }
                }
            }
        }

        test("unified memory is readable by the host") {
            withDevice(SimulatedDevice.builder(0).unifiedMemory()) {
                val buffer = runtime().allocate(1)
                buffer.memory().putByte(0, 3)
                buffer.bytes() shouldBe listOf<Byte>(3)
                runtime().isHostReadable shouldBe true
                buffer.release()
            }
        }

        context("misuse") {
            test("memory that a copy accesses after it was freed") {
                withDevice {
                    val source = staged(1)
                    val there = runtime().allocate(1)
                    val queue = runtime().createQueue()
                    pause(queue)
                    runtime().copyAsync(source, 0, there, 0, 1, queue)
                    there.release()
                    resume(queue)
                    shouldThrow<DeviceException> { queue.synchronize() }.message shouldContain "has been freed"
                    misuse() shouldContain "copy: the memory has been freed"
                    queue.close()
                    source.release()
                }
            }

            test("memory of the host that a copy accesses after it was freed") {
                withDevice {
                    val source = staged(1)
                    val there = runtime().allocate(1)
                    val queue = runtime().createQueue()
                    pause(queue)
                    runtime().copyAsync(source, 0, there, 0, 1, queue)
                    source.release()
                    resume(queue)
                    shouldThrow<DeviceException> { queue.synchronize() }
                    misuse() shouldContain "has been freed"
                    queue.close()
                    there.release()
                }
            }

            test("memory that another queue accesses before it is allocated") {
                withDevice {
                    val source = staged(1)
                    val queue = runtime().createQueue()
                    pause(queue)
                    val there = runtime().allocateAsync(1, queue)
                    shouldThrow<DeviceException> { runtime().copy(source, 0, there, 0, 1) }
                    misuse() shouldContain "has not got there yet"
                    resume(queue)
                    queue.synchronize()
                    runtime().copy(source, 0, there, 0, 1)
                    there.release()
                    queue.close()
                    source.release()
                }
            }

            test("memory that is freed twice") {
                withDevice {
                    val driver = runtime().driver
                    val address = driver.allocate(MemoryKind.DEVICE, 64)
                    driver.free(MemoryKind.DEVICE, address)
                    shouldThrow<DeviceException> { driver.free(MemoryKind.DEVICE, address) }
                    misuse() shouldContain "free: no DEVICE memory is at"
                }
            }

            test("memory that is freed twice in the order of a queue") {
                withDevice {
                    val queue = runtime().createQueue()
                    pause(queue)
                    val address = runtime().driver.allocateAsync(64, queue.handle)
                    runtime().driver.freeAsync(address, queue.handle)
                    shouldThrow<DeviceException> { runtime().driver.freeAsync(address, queue.handle) }
                    misuse() shouldContain "free_async: no DEVICE memory is at"
                    resume(queue)
                    queue.close()
                }
            }

            test("a queue and an event that were destroyed") {
                withDevice {
                    val driver = runtime().driver
                    val queue = driver.createQueue()
                    val event = driver.recordEvent(queue)
                    driver.destroyQueue(queue)
                    driver.destroyEvent(event)
                    shouldThrow<DeviceException> { driver.synchronize(queue) }
                    shouldThrow<DeviceException> { driver.isComplete(event) }
                    takeMisuse() shouldHaveSize 2
                }
            }

            test("a call from within a callback and from within a kernel") {
                withDevice {
                    runtime().driver.callAfter(runtime().driver.defaultQueue()) { runtime().allocate(1) }
                    runtime().defaultQueue.synchronize()
                    takeMisuse().first() shouldContain "called within a CALLBACK"
                    launch(runtime().defaultQueue, listOf()) { runtime().createQueue() }
                    shouldThrow<DeviceException> { runtime().defaultQueue.synchronize() }
                    takeMisuse().first() shouldContain "called within a KERNEL"
                }
            }

            test("a mistake that was not taken fails close") {
                val device = SimulatedDevice.open(0)
                shouldThrow<DeviceException> { device.runtime().driver.synchronize(5) }
                shouldThrow<AssertionError> { device.close() }.message shouldContain "no queue has the handle 0x5"
                device.takeMisuse().shouldBeEmpty()
            }
        }
    })
