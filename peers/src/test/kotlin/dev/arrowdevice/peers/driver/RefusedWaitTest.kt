package dev.arrowdevice.peers.driver

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.internal.memory.DeferredRelease
import dev.arrowdevice.internal.memory.EndOfWork
import dev.arrowdevice.spi.DeviceDriver
import dev.arrowdevice.spi.DeviceEvent
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.DriverContext
import dev.arrowdevice.spi.DriverRuntime
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

/** The device's memory is kept until its work is over, whatever calls the device refuses. */
class RefusedWaitTest :
    FunSpec({
        listOf(
            listOf(Operation.AWAIT),
            listOf(Operation.IS_COMPLETE, Operation.AWAIT),
        ).forEach { refused ->
            test(
                "without callbacks, a device that refuses ${refused.joinToString()} is asked again, and memory is freed after the work",
            ) {
                val trace =
                    withDevice(SimulatedDevice.builder(0).withoutCallbacks()) {
                        val queue = runtime().createQueue()
                        pause(queue)
                        refused.forEach(::failNext)
                        releaseAfterCopy(queue)
                        // It is asked again after the refusal, so it was not taken for the end of the work.
                        waitUntil { trace().count(Operation.AWAIT) == 1 }
                        trace().count(Operation.AWAIT, Phase.REFUSED) shouldBe 1
                        trace().count(Operation.FREE) shouldBe 0
                        DeferredRelease.pending() shouldBe 1
                        resume(queue)
                        ReleaseBalance.awaitDeferredReleases()
                        queue.close()
                    }
                trace.place(Operation.FREE) shouldBeGreaterThan trace.place(Operation.COPY, Phase.DONE)
            }
        }

        test("memory is kept while recording an event and waiting for the queue are refused") {
            val trace =
                withDevice {
                    val queue = runtime().createQueue()
                    val source = runtime().allocateStaging(64)
                    val target = runtime().allocate(64)
                    pause(queue)
                    runtime().copyAsync(source, 0, target, 0, 64, queue)
                    failNext(Operation.RECORD_EVENT)
                    failNext(Operation.SYNCHRONIZE)
                    DeferredRelease.after(runtime(), queue, ReferenceCounted.all(source.owner, target.owner))
                    queue.close() // The queue lives on until the device has answered.
                    waitUntil { trace().count(Operation.SYNCHRONIZE) == 1 }
                    trace().count(Operation.FREE) shouldBe 0
                    trace().count(Operation.DESTROY_QUEUE) shouldBe 0
                    resume(queue)
                    ReleaseBalance.awaitDeferredReleases()
                }
            trace.place(Operation.FREE) shouldBeGreaterThan trace.place(Operation.COPY, Phase.DONE)
            trace.count(Operation.FREE) shouldBe 2
        }

        test("memory in the order of a queue is kept while recording an event and waiting for the queue are refused") {
            val trace =
                withDevice(SimulatedDevice.builder(0).withoutQueueOrderedMemory()) {
                    val queue = runtime().createQueue()
                    val source = runtime().allocateStaging(64)
                    val target = runtime().allocateAsync(64, queue)
                    pause(queue)
                    runtime().copyAsync(source, 0, target, 0, 64, queue)
                    failNext(Operation.RECORD_EVENT)
                    failNext(Operation.SYNCHRONIZE)
                    target.owner.release() // Does not wait for the queue.
                    waitUntil { trace().count(Operation.SYNCHRONIZE) == 1 }
                    trace().count(Operation.FREE) shouldBe 0
                    resume(queue)
                    ReleaseBalance.awaitDeferredReleases()
                    source.owner.release()
                    queue.close()
                }
            trace.place(Operation.FREE) shouldBeGreaterThan trace.place(Operation.COPY, Phase.DONE)
        }

        test("refusals that last are reported once, with what is kept, and memory is freed when the device answers") {
            listOf(
                SimulatedDevice.builder(0) to listOf(Operation.IS_COMPLETE),
                SimulatedDevice.builder(0).withoutCallbacks() to listOf(),
            ).forEach { (builder, first) ->
                val reports = ConcurrentLinkedQueue<DeviceException>()
                val listener = Diagnostics.onLateFailure(reports::add)
                val patience = EndOfWork.patience(0)
                try {
                    withDevice(builder) {
                        val queue = runtime().createQueue()
                        pause(queue)
                        first.forEach(::failNext)
                        repeat(5) { failLater(Operation.AWAIT, it) }
                        releaseAfterCopy(queue)
                        waitUntil { trace().count(Operation.AWAIT) == 1 }
                        trace().count(Operation.AWAIT, Phase.REFUSED) shouldBe 5
                        resume(queue)
                        ReleaseBalance.awaitDeferredReleases()
                        queue.close()
                    }
                } finally {
                    EndOfWork.patience(patience)
                    Diagnostics.onLateFailure(listener)
                }
                reports.shouldHaveSize(1)
                reports.single().operation shouldBe "await"
                reports.single().message shouldContain "[64 bytes of EXT_DEV:0, 64 bytes of EXT_DEV:0]"
                reports.single().message shouldContain "the test requested this"
            }
        }

        listOf("isComplete", "whenComplete").forEach { broken ->
            listOf(OutOfMemoryError("a test"), NoClassDefFoundError("a test")).forEach { error ->
                test(
                    "an event whose $broken throws ${error.javaClass.simpleName} keeps the memory until await returns",
                ) {
                    ReleaseBalance.start().use {
                        val event = BrokenEvent(broken, error)
                        val released = CountDownLatch(1)
                        DeferredRelease.after(event, freed { released.countDown() })
                        event.refusals.await()
                        DeferredRelease.pending() shouldBe 1
                        released.count shouldBe 1
                        event.done.countDown()
                        released.await(30, TimeUnit.SECONDS) shouldBe true
                    }
                }
            }
        }

        test("a runtime whose record throws an error keeps the memory until the queue's work is done") {
            val trace =
                withDevice {
                    val queue = runtime().createQueue()
                    pause(queue)
                    val source = runtime().allocateStaging(64)
                    val target = runtime().allocate(64)
                    runtime().copyAsync(source, 0, target, 0, 64, queue)
                    val broken =
                        object : DeviceRuntime by runtime() {
                            override fun record(queue: DeviceQueue) = throw NoClassDefFoundError("a test")
                        }
                    DeferredRelease.after(broken, queue, ReferenceCounted.all(source.owner, target.owner))
                    waitUntil { trace().count(Operation.SYNCHRONIZE) == 1 }
                    DeferredRelease.pending() shouldBe 1
                    trace().count(Operation.FREE) shouldBe 0
                    resume(queue)
                    ReleaseBalance.awaitDeferredReleases()
                    queue.close()
                }
            trace.place(Operation.FREE) shouldBeGreaterThan trace.place(Operation.COPY, Phase.DONE)
        }

        test("a driver that never calls back keeps what waits for it, in sight, and holds nothing else up") {
            withDevice {
                val silent = SilentDriver(runtime().driver)
                val context = DriverContext(silent)
                val gpu = DriverRuntime(context, device(), Device.CPU, MemoryKind.DEVICE)
                context.release()
                val queue = gpu.createQueue()
                pause(queue)
                val before = ArrowCounters.now()
                releaseAfterCopy(queue, gpu)
                resume(queue)
                queue.synchronize()

                // What does not wait for the callback is released, and closing does not wait either.
                gpu.allocate(64).owner.release()
                queue.close()
                gpu.close()
                val now = ArrowCounters.now() - before
                now.pendingReleases shouldBe 1
                now.deviceBuffers shouldBe 2
                now.deviceEvents shouldBe 1
                silent.closed shouldBe false

                silent.callBack()
                ReleaseBalance.awaitDeferredReleases()
                waitUntil { silent.closed }
            }
        }
    })

/** Queues a copy whose memory is released as soon as that is over. */
private fun SimulatedDevice.releaseAfterCopy(
    queue: DeviceQueue,
    gpu: DeviceRuntime = runtime(),
) {
    val source = gpu.allocateStaging(64)
    val target = gpu.allocate(64)
    gpu.copyAsync(source, 0, target, 0, 64, queue)
    DeferredRelease.after(gpu.record(queue), ReferenceCounted.all(source.owner, target.owner))
}

private fun freed(action: () -> Unit) =
    object : ReferenceCounted() {
        override fun free() = action()
    }

/** A pending event, one of whose methods throws an error each time; [await] throws it twice, and then waits. */
private class BrokenEvent(
    private val broken: String,
    private val error: Error,
) : DeviceEvent {
    val refusals = CountDownLatch(2)
    val done = CountDownLatch(1)
    private val asked = AtomicInteger()

    override fun getDevice(): Device = Device.CPU

    override fun isComplete(): Boolean = if (broken == "isComplete") throw error else false

    override fun await() {
        if (asked.incrementAndGet() <= 2) {
            refusals.countDown()
            throw error
        }
        done.await()
    }

    override fun whenComplete(action: Runnable): Unit = throw error

    override fun getSyncEvent(): Long = 0

    override fun close() = Unit
}

/** A driver that accepts callbacks and calls them only when the test says so. */
private class SilentDriver(
    private val driver: DeviceDriver,
) : DeviceDriver by driver {
    private val accepted = ConcurrentLinkedQueue<Runnable>()

    @Volatile
    var closed = false

    /** Kotlin does not delegate a default method of Java. */
    override fun hasCallbacks() = true

    override fun callAfter(
        queue: Long,
        action: Runnable,
    ) {
        accepted += action
    }

    fun callBack() = accepted.forEach(Runnable::run)

    /** The device itself belongs to the test. */
    override fun close() {
        closed = true
    }
}
