package dev.arrowdevice.peers.driver

import dev.arrowdevice.DeviceException
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread

/** Everything of a device that can be made and must be closed. */
private fun SimulatedDevice.everything(): List<AutoCloseable> {
    val queue = runtime().createQueue()
    val ordered = runtime().allocateAsync(64, queue)
    val buffer = runtime().allocate(64)
    val staging = runtime().allocateStaging(64)
    return listOf(
        AutoCloseable { ordered.owner.release() },
        AutoCloseable { buffer.owner.release() },
        AutoCloseable { staging.owner.release() },
        runtime().record(queue),
        queue,
    )
}

class DriverLifetimeTest :
    FunSpec({
        test("the device is closed last, in whatever order the rest is closed") {
            repeat(5) { first ->
                var left = listOf<AutoCloseable>()
                val device = SimulatedDevice.open(0)
                ReleaseBalance.start().use {
                    device.use { left = it.everything() }
                    (left.drop(first) + left.take(first)).forEach {
                        device.trace().count(Operation.CLOSE) shouldBe 0
                        it.close()
                    }
                }
                device.takeMisuse().shouldBeEmpty()
                val trace = device.trace()
                trace.count(Operation.CLOSE) shouldBe 1
                listOf(Operation.FREE, Operation.FREE_ASYNC, Operation.DESTROY_EVENT, Operation.DESTROY_QUEUE).forEach {
                    trace.place(it) shouldBeLessThan trace.place(Operation.CLOSE)
                }
            }
        }

        test("if any call fails, nothing leaks and nothing is released twice") {
            listOf(
                SimulatedDevice.builder(0),
                SimulatedDevice.builder(0).withoutCallbacks().withoutQueueOrderedMemory(),
            ).forEach { builder ->
                var calls = 0
                var further = true
                while (further) {
                    lateFailures {
                        withDevice(builder) {
                            failCall(calls++)
                            try {
                                useEverything()
                            } catch (e: DeviceException) {
                                e.operation.isNotBlank() shouldBe true
                            }
                            further = clearFaults() == 0
                        }
                    }
                }
                calls shouldBeGreaterThan 20
            }
        }

        test("a release that the driver refuses is reported to the listener, and counted as done") {
            listOf(
                Operation.FREE,
                Operation.FREE_ASYNC,
                Operation.DESTROY_EVENT,
                Operation.DESTROY_QUEUE,
                Operation.CLOSE,
            ).flatMap { operation ->
                lateFailures {
                    withDevice {
                        failNext(operation)
                        everything().forEach { it.close() }
                    }
                }
            }.shouldContainExactlyInAnyOrder("free", "free_async", "destroy_event", "destroy_queue", "close")
        }

        test("an exception of a listener is ignored") {
            val before =
                Diagnostics.onLateFailure { error("the listener is broken") }
            try {
                withDevice {
                    failNext(Operation.FREE)
                    runtime().allocate(64).owner.release()
                }
            } finally {
                Diagnostics.onLateFailure(before)
            }
        }

        test("memory released in a callback is freed on another thread") {
            withDevice {
                val queue = runtime().createQueue()
                val event = runtime().record(queue)
                val held = everything() + event + queue
                pause(queue)
                val pending = runtime().record(queue)
                val done = CompletableFuture<Void>()
                pending.whenComplete {
                    held.forEach { it.close() }
                    done.complete(null)
                }
                pending.close()
                resume(queue)
                done.get(30, TimeUnit.SECONDS)
                ReleaseBalance.awaitDeferredReleases()
                takeMisuse().shouldBeEmpty()
            }.count(Operation.FREE) shouldBe 2
        }

        test("the last reference to the device may be released in a callback") {
            val device = SimulatedDevice.open(0)
            ReleaseBalance.start().use {
                val queue = device.runtime().createQueue()
                device.pause(queue)
                val event = device.runtime().record(queue)
                val called = CountDownLatch(1)
                event.whenComplete { called.countDown() }
                event.close()
                queue.close()
                device.close()
                device.trace().count(Operation.CLOSE) shouldBe 0
                device.resume(queue)
                called.await()
                awaitGivenBack(device)
            }
            device.takeMisuse().shouldBeEmpty()
        }

        test("callbacks use few queues, and no queue that may wait forever") {
            withDevice {
                val queue = runtime().createQueue()
                repeat(20) {
                    pause(queue)
                    runtime().record(queue).use { event ->
                        val called = CountDownLatch(1)
                        event.whenComplete { called.countDown() }
                        resume(queue)
                        called.await()
                    }
                }
                trace().count(Operation.CREATE_QUEUE) shouldBeLessThanOrEqual 4

                val never = runtime().createQueue()
                pause(never)
                val stuck = runtime().record(never)
                failNext(Operation.CALL_AFTER)
                shouldThrow<DeviceException> { stuck.whenComplete { error("it was refused") } }
                pause(queue)
                val event = runtime().record(queue)
                val called = CountDownLatch(1)
                event.whenComplete { called.countDown() }
                resume(queue)
                called.await(30, TimeUnit.SECONDS) shouldBe true
                resume(never)
                listOf(stuck, event, never, queue).forEach { it.close() }
            }
        }

        test("the queues of 300 callbacks that wait at once are given back, up to a few") {
            val trace =
                withDevice {
                    fun queues() = trace().count(Operation.CREATE_QUEUE) - trace().count(Operation.DESTROY_QUEUE)
                    repeat(3) {
                        val copies = copiesPending(300)
                        queues() shouldBeGreaterThan 300
                        resume(runtime().defaultQueue)
                        copies.forEach { it.get(30, TimeUnit.SECONDS) }
                        waitUntil { queues() <= 8 }
                    }
                    // Those that are left serve all copies that follow one another.
                    val created = trace().count(Operation.CREATE_QUEUE)
                    repeat(100) {
                        val copies = copiesPending(1)
                        resume(runtime().defaultQueue)
                        copies.forEach { it.get(30, TimeUnit.SECONDS) }
                    }
                    trace().count(Operation.CREATE_QUEUE) shouldBe created
                }
            trace.count(Operation.DESTROY_QUEUE) shouldBe trace.count(Operation.CREATE_QUEUE)
        }

        test("while threads use a runtime that is closed, each call works or throws, and the device is closed once") {
            repeat(20) {
                withDevice {
                    val start = CyclicBarrier(5)
                    val strange = AtomicBoolean()
                    List(4) {
                        thread {
                            start.await()
                            try {
                                repeat(20) { useEverything() }
                            } catch (e: IllegalStateException) {
                                if ("has been closed" !in e.message!!) strange.set(true).also { e.printStackTrace() }
                            }
                        }
                    }.also {
                        start.await()
                        runtime().close()
                    }.forEach { it.join() }
                    strange.get() shouldBe false
                }.count(Operation.CLOSE) shouldBe 1
            }
        }
    })

/** Starts copies on the default queue, which is paused. Each result completes when its copy is ready, and is then closed. */
private fun SimulatedDevice.copiesPending(count: Int): List<CompletableFuture<Void>> {
    pause(runtime().defaultQueue)
    return deviceArrayOf(1, 2, 3).use { source ->
        List(count) {
            val copy = source.copyToAsync(runtime(), runtime().defaultQueue)
            val ready = CompletableFuture<Void>()
            checkNotNull(copy.readyEvent).whenComplete { ready.complete(null) }
            ready.thenRunAsync(copy::close)
        }
    }
}

/** Makes, uses and closes one of everything, and closes what there is if something fails. */
private fun SimulatedDevice.useEverything() {
    val runtime = runtime()
    runtime.memoryInfo
    runtime.createQueue().use { queue ->
        val staging = runtime.allocateStaging(64)
        try {
            val there = runtime.allocateAsync(64, queue)
            try {
                runtime.copyAsync(staging, 0, there, 0, 64, queue)
                runtime.record(queue).use { event ->
                    val other = runtime.allocate(64)
                    try {
                        runtime.createQueue().use { second ->
                            runtime.waitFor(second, event)
                            try {
                                runtime.copyAsync(there, 0, other, 0, 64, second)
                                runtime.join(listOf(event)).use { joined ->
                                    val called = CountDownLatch(1)
                                    joined.whenComplete { called.countDown() }
                                    called.await()
                                }
                            } finally {
                                finish(second)
                            }
                        }
                    } finally {
                        other.owner.release()
                    }
                }
            } finally {
                finish(queue)
                there.owner.release()
            }
        } finally {
            staging.owner.release()
        }
    }
}

/** Memory may be freed when its queue has no work left, even if a query for that fails. */
private fun finish(queue: dev.arrowdevice.spi.DeviceQueue) {
    runCatching { queue.synchronize() }.onFailure { queue.synchronize() }
}
