package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerStreamOptions
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.throwables.shouldThrowExactly
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withTimeout
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration.Companion.seconds

/** However the collection of a stream's flow ends, the stream is released, and no batch is lost. */
@OptIn(ExperimentalCoroutinesApi::class)
class StreamFlowCancellationTest :
    FunSpec({
        extension(Balance)

        /** Runs [collect] on the flow of an endless foreign stream, in all the ways to fetch. */
        fun eachWay(collect: suspend (Flow<RecordBatch>) -> Unit) {
            for (context in listOf(StreamDispatcher, EmptyCoroutineContext)) {
                for (prefetch in listOf(0, 1, 4)) {
                    withPeerStream(PeerStreamOptions.batches(Int.MAX_VALUE)) { stream ->
                        runBlocking { collect(stream.asFlow(context, prefetch)) }
                        shouldThrow<IllegalStateException> { stream.nextBatch() }
                    }
                }
            }
        }

        test("take and first end the stream") {
            eachWay { it.take(3).map { batch -> batch.number() }.toList() shouldBe listOf(11, 12, 13) }
            eachWay { it.map { batch -> batch.number() }.first() shouldBe 11 }
        }

        test("a failure downstream ends the stream and is thrown") {
            eachWay { flow ->
                shouldThrow<ArithmeticException> { flow.collect { throw ArithmeticException("downstream") } }
                    .message shouldBe "downstream"
            }
        }

        test("a cancelled collector does not call the producer any more, in any context") {
            runBlocking {
                val own = checkNotNull(currentCoroutineContext()[ContinuationInterceptor])
                for (context in listOf(StreamDispatcher, EmptyCoroutineContext, own)) {
                    val source = Source(9)
                    launch { source.stream.asFlow(context).collect { currentCoroutineContext().cancel() } }.join()
                    source.pulled.get() shouldBe 1
                    source.closed.get() shouldBe 1
                }
            }
        }

        test("a collection that is cancelled during the producer's last call does not end normally") {
            for (context in listOf(StreamDispatcher, EmptyCoroutineContext)) {
                var ended = false
                runBlocking {
                    launch {
                        val cancelling =
                            object : Iterator<RecordBatch> {
                                override fun hasNext() = false.also { cancel() }

                                override fun next() = error("there is none")
                            }
                        DeviceArrayStream.of(numberSchema, DeviceType.CPU, cancelling) {}.asFlow(context).collect {}
                        ended = true
                    }
                }
                ended shouldBe false
            }
        }

        test("a cancelled collector ends the stream, even if it never suspends") {
            eachWay { flow ->
                val started = CompletableDeferred<Unit>()
                coroutineScope {
                    val job = launch(Dispatchers.Default) { flow.collect { started.complete(Unit) } }
                    started.await()
                    job.cancelAndJoin()
                }
            }
        }

        test("a cancelled collector that waits in emit ends the stream") {
            eachWay { flow ->
                val started = CompletableDeferred<Unit>()
                coroutineScope {
                    val job =
                        launch {
                            flow.collect {
                                started.complete(Unit)
                                awaitCancellation()
                            }
                        }
                    started.await()
                    job.cancelAndJoin()
                }
            }
        }

        test("a time-out ends the stream") {
            runTest {
                val source = Source(Int.MAX_VALUE)
                shouldThrow<TimeoutCancellationException> {
                    withTimeout(3.seconds) {
                        source.stream.asFlow(EmptyCoroutineContext, 2).collect { delay(1.seconds) }
                    }
                }
                currentTime shouldBe 3_000
                source.closed.get() shouldBe 1
                source.pulled.get() shouldBeLessThanOrEqual 6
            }
        }

        test("a cancellation waits for the current call, closes its batch, and then the stream") {
            for (prefetch in listOf(0, 1, 4)) {
                val inCall = CountDownLatch(1)
                val goOn = CountDownLatch(1)
                val source =
                    Source(Int.MAX_VALUE) {
                        inCall.countDown()
                        goOn.await(20, TimeUnit.SECONDS)
                    }
                runBlocking {
                    val job = launch { source.stream.asFlow(Dispatchers.IO, prefetch).collect {} }
                    launch(Dispatchers.IO) {
                        inCall.await(20, TimeUnit.SECONDS)
                        job.cancel()
                        source.closed.get() shouldBe 0
                        job.isCompleted shouldBe false
                        goOn.countDown()
                    }
                    job.join()
                    source.closed.get() shouldBe 1
                    source.pulled.get() shouldBe 1
                }
            }
        }

        test("prefetched batches are closed") {
            runTest {
                val source = Source(Int.MAX_VALUE)
                val job =
                    launch { source.stream.asFlow(EmptyCoroutineContext, 4).collect { awaitCancellation() } }
                testScheduler.advanceUntilIdle()
                source.pulled.get() shouldBe 5
                job.cancelAndJoin()
                source.closed.get() shouldBe 1
            }
        }

        for (prefetch in listOf(0, 1)) {
            test(
                "a dispatcher that was shut down fails the collection, and the stream is closed, with prefetch $prefetch",
            ) {
                val source = Source(Int.MAX_VALUE)
                val dispatcher = Executors.newSingleThreadExecutor().asCoroutineDispatcher().apply { close() }
                runBlocking {
                    val collecting = async { runCatching { source.stream.asFlow(dispatcher, prefetch).collect {} } }
                    val failure = withTimeout(20.seconds) { collecting.await() }.exceptionOrNull()
                    failure.shouldBeInstanceOf<IllegalStateException>().message shouldContain "was shut down"
                }
                source.closed.get() shouldBe 1
            }

            test("a dispatcher that is shut down meanwhile fails the collection, with prefetch $prefetch") {
                val source = Source(Int.MAX_VALUE)
                val dispatcher = Executors.newSingleThreadExecutor().asCoroutineDispatcher()
                runBlocking {
                    shouldThrowExactly<IllegalStateException> {
                        source.stream.asFlow(dispatcher, prefetch).collect { dispatcher.close() }
                    }.message shouldContain "was shut down"
                }
                source.closed.get() shouldBe 1
            }
        }

        test("a flow that is cancelled before it starts leaves the stream to the caller") {
            val source = Source(1)
            runBlocking {
                val job = launch(start = CoroutineStart.LAZY) { source.stream.asFlow().collect {} }
                job.cancelAndJoin()
            }
            source.stream.close()
            source.closed.get() shouldBe 1
        }

        test("batches in the buffer of an operator are closed") {
            eachWay { flow ->
                shouldThrow<IllegalStateException> {
                    flow.flowOn(Dispatchers.Default).collect { it.number() }
                }
            }
        }
    })
