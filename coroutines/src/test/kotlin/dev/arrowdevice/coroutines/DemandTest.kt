package dev.arrowdevice.coroutines

import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerAsyncConsumer.Options
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncHabit
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerOptions
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private val endless = PeerAsyncOptions.batches(Long.MAX_VALUE)

/** A collection under way: what it ends with is null, or what it throws. */
private class Collection(
    val producer: PeerAsyncProducer,
    val end: Deferred<Throwable?>,
    private val scope: TestScope,
) {
    val requested: Long get() = producer.count(Count.REQUESTED)
    val tasks: Long get() = producer.count(Count.TASKS)
    val extracted: Long get() = producer.count(Count.EXTRACTED)

    /** Waits, in real time, until so many callbacks have returned, and lets the collector do what it can then. */
    @OptIn(ExperimentalCoroutinesApi::class)
    fun afterCallbacks(count: Long) {
        producer.await(Count.RETURNED, count)
        scope.runCurrent()
    }

    /** Waits, in real time, for the release, and lets the collector end. */
    @OptIn(ExperimentalCoroutinesApi::class)
    fun afterRelease() {
        producer.await(Count.RELEASES, 1)
        scope.runCurrent()
    }
}

/**
 * Collects from a C producer. The producer's threads run in real time, and the test waits for them. The collector runs
 * in virtual time, which only [test] advances.
 */
@OptIn(ExperimentalCoroutinesApi::class)
private fun collecting(
    options: PeerAsyncOptions,
    window: Int = 2,
    collector: suspend (RecordBatch) -> Unit,
    test: TestScope.(Collection) -> Unit,
) = PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options).use { producer ->
    runTest {
        val flow = asyncDeviceStream(window, releaseTimeout = 7.seconds) { producer.start(it) }
        val end = async { runCatching { flow.collect { collector(it) } }.exceptionOrNull() }
        runCurrent()
        test(Collection(producer, end, this))
        end.isCompleted shouldBe true
    }
    producer.checkDone()
}

/** Advances the clock, and runs what is due then, including the last instant. */
@OptIn(ExperimentalCoroutinesApi::class)
private fun TestScope.pass(time: kotlin.time.Duration) {
    advanceTimeBy(time)
    runCurrent()
}

/** In virtual time: that demand follows what is consumed, and that waits last as long as is said. */
@OptIn(ExperimentalCoroutinesApi::class)
class DemandTest :
    FunSpec({
        extension(Balance)

        // ---- as consumer ----

        for (window in listOf(1, 2, 5)) {
            test("with a window of $window, half a window is requested when the collector is done with so many") {
                val half = (window + 1) / 2
                collecting(endless, window, { delay(1.seconds) }) {
                    it.afterCallbacks(1L + window)
                    for (done in 0L..20L) {
                        // The collector has one, and the others wait.
                        val before = window + done / half * half
                        it.requested shouldBe before
                        it.tasks shouldBe before
                        it.extracted shouldBe done + 1
                        pass(999.milliseconds)
                        it.requested shouldBe before
                        pass(1.milliseconds)
                        val after = window + (done + 1) / half * half
                        it.requested shouldBe after
                        it.afterCallbacks(1 + after)
                    }
                    currentTime shouldBe 21_000
                    it.end.cancel()
                    runCurrent()
                    it.afterRelease()
                }
            }
        }

        test("a slow collector requests nothing, and nothing is sent") {
            collecting(endless, window = 3, { if (it.number() == 13) delay(5.hours) }) {
                it.afterCallbacks(1L + 3)
                it.afterCallbacks(1L + 5)
                it.requested shouldBe 5
                pass(4.hours)
                it.requested shouldBe 5
                it.tasks shouldBe 5
                it.extracted shouldBe 3
                it.end.cancel()
                runCurrent()
                it.afterRelease()
            }
        }

        test("a slow producer gets no more requests than the window") {
            collecting(endless.waitingAfter(1), window = 3, {}) {
                it.afterCallbacks(1)
                pass(5.hours)
                it.requested shouldBe 3
                it.producer.allow(1)
                it.afterCallbacks(2)
                it.requested shouldBe 3
                it.producer.allow(1)
                it.afterCallbacks(3)
                it.requested shouldBe 5
                pass(5.hours)
                it.requested shouldBe 5
                it.end.cancel()
                runCurrent()
                it.producer.allow(-1)
                it.afterRelease()
            }
        }

        // ---- time-outs ----

        val late = "the producer has not called release within 7s after the stream's end"

        test("the wait for release ends at the release timeout, not a millisecond later") {
            collecting(PeerAsyncOptions.batches(1).with(PeerAsyncFault.NEVER_RELEASES), 2, { delay(3.seconds) }) {
                it.afterCallbacks(3)
                pass(3.seconds)
                pass(6_999.milliseconds)
                it.end.isActive shouldBe true
                pass(1.milliseconds)
                it.end.getCompleted()?.message shouldBe late
                currentTime shouldBe 10_000
                it.producer.releaseAfterAll()
            }
        }

        test("a release just before the timeout is in time") {
            collecting(PeerAsyncOptions.batches(1).with(PeerAsyncFault.NEVER_RELEASES), 2, {}) {
                it.afterCallbacks(3)
                pass(6_999.milliseconds)
                it.producer.releaseAfterAll()
                it.afterRelease()
                it.end.getCompleted().shouldBeNull()
                currentTime shouldBe 6_999
            }
        }

        /** The schema and one task come, which fails; nothing else comes until it is allowed. */
        val failing = endless.failingTask(0, 12, "no room").waitingAfter(2)

        test("the flow waits for on_error after a failed task, without requests") {
            collecting(failing, 3, {}) {
                it.afterCallbacks(2)
                it.producer.count(Count.FAILED) shouldBe 1
                pass(6_999.milliseconds)
                it.end.isActive shouldBe true
                it.requested shouldBe 3
                it.producer.allow(-1)
                it.afterRelease()
                val failure = it.end.getCompleted().shouldBeInstanceOf<ForeignException>()
                failure.message shouldBe "[on_error][ENOMEM 12] no room"
                currentTime shouldBe 6_999
            }
        }

        test("without on_error a failed task throws its own error, at the timeout") {
            collecting(failing, 3, {}) {
                it.afterCallbacks(2)
                pass(7.seconds)
                // The producer has been cancelled, and has the same time for its release.
                it.producer.count(Count.CANCELS) shouldBe 1
                it.end.isActive shouldBe true
                pass(6_999.milliseconds)
                it.producer.allow(-1)
                it.afterRelease()
                it.end.getCompleted()?.message shouldBe "[extract_data][ENOMEM 12] the task failed"
                currentTime shouldBe 13_999
            }
        }

        test("a task without an array and an error code throws at once, because no on_error follows") {
            collecting(failing.with(PeerAsyncFault.FAILS_SILENTLY), 3, {}) {
                it.afterCallbacks(2)
                // The producer is cancelled without any time having passed.
                pass(0.seconds)
                it.producer.count(Count.CANCELS) shouldBe 1
                it.producer.allow(-1)
                it.afterRelease()
                it.end.getCompleted()?.message shouldContain "the producer returned no array"
                currentTime shouldBe 0
            }
        }

        test("if neither on_error nor release is called, both timeouts pass and both failures are reported") {
            collecting(failing.with(PeerAsyncFault.NEVER_RELEASES), 3, {}) {
                it.afterCallbacks(2)
                pass(13_999.milliseconds)
                it.end.isActive shouldBe true
                pass(1.milliseconds)
                val failure = it.end.getCompleted().shouldBeInstanceOf<ForeignException>()
                failure.message shouldBe "[extract_data][ENOMEM 12] the task failed"
                failure.suppressed.single().message shouldBe late
                it.producer.allow(-1)
                it.producer.releaseAfterAll()
            }
        }

        // ---- as producer ----

        test("an exported flow is at most one batch ahead of the requests") {
            var made = 0L
            val flow =
                flow {
                    repeat(9) {
                        delay(1.seconds)
                        made++
                        emitBatch(batchOf(it))
                    }
                }
            exported(Options.requesting(0).with(PeerAsyncHabit.EXTRACTS_INLINE), flow) {
                pass(5.hours)
                made shouldBe 1
                // A batch that is ready is sent at once, the next one when it is made, and one is made for the next
                // request.
                it.request(2) shouldBe 1
                pass(999.milliseconds)
                it.tasks() shouldBe 1
                pass(1.milliseconds)
                it.tasks() shouldBe 2
                pass(5.hours)
                it.tasks() shouldBe 2
                made shouldBe 3
                it.request(100) shouldBe 3
                pass(6.seconds)
                it.tasks() shouldBe 9
                it.job.isCompleted shouldBe true
                currentTime shouldBe 10.hours.inWholeMilliseconds + 7_000
            }
        }

        test("an exported flow that is slower than its consumer sends each batch when it is made") {
            val times = ArrayList<Long>()
            exported(
                Options.requesting(Long.MAX_VALUE).with(PeerAsyncHabit.EXTRACTS_INLINE),
                numberFlow(4).onEach { delay(2.seconds) },
            ) {
                while (!it.job.isCompleted) {
                    pass(1.seconds)
                    times += it.tasks()
                }
                times shouldBe listOf<Long>(0, 1, 1, 2, 2, 3, 3, 4)
            }
        }
    })
