package dev.arrowdevice.coroutines

import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.spi.AsyncDiscard
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * However the collection of an async stream ends, the producer is cancelled, its tasks are used up, and `release` is
 * awaited; with each kind of producer.
 */
@OptIn(ExperimentalCoroutinesApi::class)
class AsyncCancellationTest :
    FunSpec({
        extension(Balance)

        val endless = PeerAsyncOptions.batches(Long.MAX_VALUE)

        /** All that a producer may do about a cancel, by the specification or against it. */
        val producers =
            listOf(
                endless,
                endless.onThreads(3),
                endless.goingOnAfterCancel(2),
                endless.with(PeerAsyncFault.ERROR_AFTER_CANCEL),
                endless.with(PeerAsyncFault.END_AFTER_CANCEL),
                endless.with(PeerAsyncFault.FREES_PRODUCER),
                endless.with(PeerAsyncFault.CANCELS_INLINE),
                endless.with(PeerAsyncFault.CANCELS_INLINE, PeerAsyncFault.ERROR_AFTER_CANCEL),
                endless.with(PeerAsyncFault.SURPLUS).goingOnAfterCancel(3),
                endless.with(PeerAsyncFault.CALLS_AFTER_RELEASE),
            )

        fun eachProducer(collect: suspend CoroutineScope.(AsyncPeer) -> Unit) {
            for (options in producers) {
                for (window in listOf(1, 4)) {
                    withAsyncPeer(options, window) {
                        collect(it)
                        // Release has been awaited, so it is there at once.
                        it.producer.count(Count.CANCELS) shouldBe 1
                    }
                }
            }
        }

        test("take and first cancel the producer") {
            eachProducer {
                it.flow
                    .take(3)
                    .map { batch -> batch.number() }
                    .toList() shouldBe listOf(11, 12, 13)
            }
            eachProducer { it.flow.map { batch -> batch.number() }.first() shouldBe 11 }
        }

        test("a failure downstream is thrown") {
            eachProducer {
                shouldThrow<ArithmeticException> { it.flow.collect { throw ArithmeticException("downstream") } }
            }
        }

        test("a collector is cancelled in emit") {
            eachProducer {
                val started = CompletableDeferred<Unit>()
                val job =
                    launch {
                        it.flow.collect {
                            started.complete(Unit)
                            awaitCancellation()
                        }
                    }
                started.await()
                job.cancelAndJoin()
            }
        }

        test("a collector is cancelled while it collects") {
            eachProducer {
                val started = CompletableDeferred<Unit>()
                val job = launch(Dispatchers.Default) { it.flow.collect { started.complete(Unit) } }
                started.await()
                job.cancelAndJoin()
            }
        }

        test("a collector is cancelled while it waits for a task") {
            withAsyncPeer(endless.waitingAfter(1)) {
                val job = launch { it.flow.collect {} }
                withContext(Dispatchers.IO) { it.producer.await(Count.REQUESTS, 1) }
                job.cancel()
                withContext(Dispatchers.IO) { it.producer.await(Count.CANCELS, 1) }
                it.producer.allow(-1)
                job.join()
                it.producer.count(Count.TASKS) shouldBe 0
            }
        }

        test("a collector is cancelled before the schema has arrived, which is then refused") {
            withAsyncPeer(endless.waitingAfter(0)) {
                // On the one thread of this test: each runs until it waits, and then the other.
                val job = launch { it.flow.collect {} }
                yield()
                job.cancel()
                yield()
                it.producer.allow(-1)
                job.join()
                it.producer.count(Count.SCHEMAS_REFUSED) shouldBe 1
            }
        }

        test("a cancellation waits for start, because nobody knows whether a producer has the handler") {
            PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), endless).use { producer ->
                val starting = CompletableDeferred<Unit>()
                val goOn = CompletableDeferred<Unit>()
                runBlocking {
                    val job =
                        launch {
                            asyncDeviceStream {
                                starting.complete(Unit)
                                goOn.await()
                                producer.start(it)
                            }.collect {}
                        }
                    starting.await()
                    job.cancel()
                    goOn.complete(Unit)
                    job.join()
                }
                producer.checkDone()
            }
        }

        test("a time-out in start keeps the handler valid for a producer that may have it") {
            runTest {
                PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), endless.waitingAfter(0)).use { producer ->
                    val flow =
                        asyncDeviceStream(releaseTimeout = 5.seconds) {
                            producer.start(it)
                            withTimeout(1.seconds) { awaitCancellation() }
                        }
                    val failure = shouldThrow<IllegalStateException> { flow.collect {} }
                    failure.message shouldContain "has not called release within 5s"
                    failure
                        .original()
                        .suppressed
                        .single()
                        .shouldBeInstanceOf<TimeoutCancellationException>()
                    currentTime shouldBe 6_000
                    producer.allow(-1)
                    producer.checkDone()
                }
            }
        }

        test("a producer whose cancel and release wait for each other is freed after a second") {
            withAsyncPeer(endless.with(PeerAsyncFault.CANCEL_AWAITS_RELEASE)) {
                it.flow.map { batch -> batch.number() }.first() shouldBe 11
            }
        }

        test("waiting and later tasks are discarded") {
            withAsyncPeer(endless.goingOnAfterCancel(2), window = 4) {
                it.flow.take(1).collect { _ -> it.producer.await(Count.TASKS, 4) }
                it.producer.count(Count.EXTRACTED) shouldBe it.producer.count(Count.TASKS)
            }
        }

        test("NULL discards a task, only for producers that are known to expect it") {
            PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), endless.goingOnAfterCancel(2)).use { producer ->
                runBlocking {
                    asyncDeviceStream(window = 4, discard = AsyncDiscard.WITHOUT_ARRAY) { producer.start(it) }
                        .take(1)
                        .collect { producer.await(Count.TASKS, 4) }
                }
                producer.checkDone()
                producer.count(Count.EXTRACTED) shouldBe 1
                producer.count(Count.DISCARDED) shouldBe producer.count(Count.TASKS) - 1
            }
            eachProducer {
                it.flow.take(1).collect { }
                it.producer.count(Count.DISCARDED) shouldBe 0
            }
        }

        // ---- a producer that never calls release ----

        val never = PeerAsyncOptions.batches(3).with(PeerAsyncFault.NEVER_RELEASES)

        /** Collects in virtual time. Afterwards the producer calls release, which frees the handler. */
        fun unreleased(
            options: PeerAsyncOptions = never,
            collect: suspend TestScope.(Flow<RecordBatch>) -> Unit,
        ) = runTest {
            PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options).use { producer ->
                collect(asyncDeviceStream(releaseTimeout = 7.seconds) { producer.start(it) })
                currentTime shouldBe 7_000
                producer.releaseAfterAll()
                producer.checkDone()
            }
        }

        val late = "the producer has not called release within 7s after the stream's end"

        test("a missing release after the end is reported after the release timeout") {
            unreleased { flow -> shouldThrow<IllegalStateException> { flow.collect {} }.message shouldBe late }
        }

        test("a missing release is reported if an operator has enough batches") {
            unreleased { flow -> shouldThrow<IllegalStateException> { flow.take(1).collect {} }.message shouldBe late }
            unreleased { flow -> shouldThrow<IllegalStateException> { flow.first() }.message shouldBe late }
        }

        test("a missing release is reported with the failure that ended the stream") {
            unreleased { flow ->
                val failure = shouldThrow<ArithmeticException> { flow.collect { throw ArithmeticException("down") } }
                failure.suppressed.single().message shouldBe late
            }
            unreleased(never.failing(1, 5, "disk")) { flow ->
                val failure = shouldThrow<ForeignException> { flow.collect {} }
                failure.suppressed.single().message shouldBe late
            }
        }

        test("a missing release is reported to the parent of a cancelled collector") {
            unreleased { flow ->
                val reported = CompletableDeferred<Throwable>()
                supervisorScope {
                    val started = CompletableDeferred<Unit>()
                    val job =
                        launch(CoroutineExceptionHandler { _, failure -> reported.complete(failure) }) {
                            flow.collect {
                                started.complete(Unit)
                                awaitCancellation()
                            }
                        }
                    started.await()
                    job.cancelAndJoin()
                }
                val failure = reported.await()
                failure.message shouldBe late
                (failure.original().suppressed.single() is CancellationException) shouldBe true
            }
        }

        test("a missing release is reported in place of a time-out") {
            runTest {
                PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), never).use { producer ->
                    val flow = asyncDeviceStream(releaseTimeout = 7.seconds) { producer.start(it) }
                    shouldThrow<IllegalStateException> {
                        withTimeout(500.milliseconds) { flow.collect { delay(1.seconds) } }
                    }.message shouldBe late
                    currentTime shouldBe 7_500
                    producer.releaseAfterAll()
                    producer.checkDone()
                }
            }
        }

        test("tasks after that report are discarded, and a late release frees the handler") {
            val options = endless.with(PeerAsyncFault.NEVER_RELEASES).goingOnAfterCancel(9).waitingAfter(2)
            runTest {
                PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options).use { producer ->
                    val flow = asyncDeviceStream(window = 4, releaseTimeout = 7.seconds) { producer.start(it) }
                    shouldThrow<IllegalStateException> { flow.take(1).collect {} }.message shouldBe late
                    producer.allow(-1)
                    producer.await(Count.EXTRACTED, 4)
                    producer.releaseAfterAll()
                    producer.checkDone()
                }
            }
        }
    })

/** An exception before the coroutine library copied it for its stack trace, as it does when assertions are on. */
private fun Throwable.original(): Throwable = cause?.takeIf { it::class == this::class } ?: this
