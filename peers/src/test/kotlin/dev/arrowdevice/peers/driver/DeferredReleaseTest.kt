package dev.arrowdevice.peers.driver

import dev.arrowdevice.internal.memory.DeferredRelease
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** Queues a copy to memory that is released as soon as that is done, or has failed. */
private fun SimulatedDevice.copyToWhatIsReleased(queue: DeviceQueue) {
    val source = runtime().allocateStaging(64)
    val target = runtime().allocate(64)
    runtime().copyAsync(source, 0, target, 0, 64, queue)
    DeferredRelease.after(runtime().record(queue), ReferenceCounted.all(source.owner, target.owner))
}

class DeferredReleaseTest :
    FunSpec({
        test("memory is released after the work, with and without callbacks") {
            listOf(
                null,
                Operation.CREATE_QUEUE,
                Operation.WAIT_FOR,
                Operation.CALL_AFTER,
                Operation.IS_COMPLETE,
            ).forEach {
                val trace =
                    withDevice {
                        val queue = runtime().createQueue()
                        pause(queue)
                        it?.let(::failNext)
                        copyToWhatIsReleased(queue)
                        DeferredRelease.pending() shouldBe 1
                        trace().count(Operation.FREE) shouldBe 0
                        resume(queue)
                        ReleaseBalance.awaitDeferredReleases()
                        queue.close()
                    }
                trace.place(Operation.FREE) shouldBeGreaterThan trace.place(Operation.COPY, Phase.DONE)
            }
        }

        test("memory whose event stays pending does not delay other memory, with and without callbacks") {
            listOf(Operation.CREATE_QUEUE, Operation.IS_COMPLETE).forEach {
                withDevice {
                    val queue = runtime().createQueue()
                    pause(queue)
                    failNext(it)
                    copyToWhatIsReleased(queue)
                    val other = CompletableFuture<Unit>()
                    DeferredRelease.execute { other.complete(Unit) }
                    try {
                        other.get(10, TimeUnit.SECONDS)
                    } finally {
                        resume(queue)
                    }
                    queue.close()
                }
            }
        }

        test("memory is released if the work fails, before or after the release was deferred") {
            withDevice {
                val queue = runtime().createQueue()
                pause(queue)
                failNext(Operation.COPY)
                copyToWhatIsReleased(queue)
                resume(queue)
                ReleaseBalance.awaitDeferredReleases()
                failNext(Operation.COPY)
                copyToWhatIsReleased(queue)
                ReleaseBalance.awaitDeferredReleases()
                queue.close()
            }.count(Operation.FREE) shouldBe 4
        }

        test("memory with a complete event is released at once, by the caller") {
            withDevice {
                val event = runtime().record(runtime().defaultQueue)
                event.await()
                var releasedBy: Thread? = null
                val owner =
                    object : ReferenceCounted() {
                        override fun free() {
                            releasedBy = Thread.currentThread()
                        }
                    }
                DeferredRelease.after(event, owner)
                releasedBy.shouldNotBeNull() shouldBe Thread.currentThread()
            }
        }

        test("a release that throws still closes the event and is counted as done") {
            withDevice {
                val event = runtime().record(runtime().defaultQueue)
                event.await()
                val broken =
                    object : ReferenceCounted() {
                        override fun free(): Unit = error("it must not throw")
                    }
                DeferredRelease.after(event, broken)
                DeferredRelease.pending() shouldBe 0
            }
        }
    })
