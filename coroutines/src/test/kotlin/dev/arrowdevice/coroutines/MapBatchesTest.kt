package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerStreamOptions
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transform
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlin.coroutines.EmptyCoroutineContext

/** Batches made of the batches of a foreign stream are closed however the collection ends. */
class MapBatchesTest :
    FunSpec({
        extension(Balance)

        val six = PeerStreamOptions.batches(6)
        val places = listOf(EmptyCoroutineContext, Dispatchers.Default)

        /** A batch of its own memory, twice the number of [batch]. */
        fun twice(batch: RecordBatch) = batchOf(2 * batch.number())

        test("the new batch is live downstream, and closed when the next step is done with it") {
            for (place in places) {
                val seen = ArrayList<RecordBatch>()
                withPeerStream(six) { stream ->
                    runBlocking {
                        stream
                            .asFlow(prefetch = 2)
                            .mapBatches(place) { twice(it) }
                            .mapBatches(place) { it.slice(0, 1) }
                            .map { batch -> batch.number().also { seen += batch } }
                            .toList()
                    } shouldBe allNumbers.map { 2 * it }
                }
                seen.none { it.isLive } shouldBe true
                shouldThrow<IllegalStateException> { seen[0].number() }.message shouldContain "borrowed from a flow"
            }
        }

        test("the lambda may return the batch that it got") {
            withPeerStream(six) { stream ->
                runBlocking {
                    stream
                        .asFlow()
                        .mapBatches { if (it.number() % 2 == 0) it else twice(it) }
                        .map { it.number() }
                        .toList()
                } shouldBe listOf(22, 12, 26, 14, 30, 16)
            }
        }

        test("the lambda runs in the named context, and the collector in its own") {
            withPeerStream(six) { stream ->
                runBlocking {
                    val here = Thread.currentThread()
                    stream
                        .asFlow(EmptyCoroutineContext)
                        .mapBatches(Dispatchers.Default) { batch ->
                            (Thread.currentThread() === here) shouldBe false
                            twice(batch)
                        }.collect { (Thread.currentThread() === here) shouldBe true }
                }
            }
        }

        test("a failure of the lambda ends the stream and is thrown") {
            for (place in places) {
                withPeerStream(six) { stream ->
                    shouldThrow<ArithmeticException> {
                        runBlocking {
                            stream
                                .asFlow(prefetch = 2)
                                .mapBatches(place) { if (it.number() == 13) throw ArithmeticException() else twice(it) }
                                .collect {}
                        }
                    }
                }
            }
        }

        test("a failure downstream, or an operator that has enough, closes the new batch") {
            for (place in places) {
                withPeerStream(six) { stream ->
                    val batches = stream.asFlow().mapBatches(place) { twice(it) }
                    shouldThrow<ArithmeticException> { runBlocking { batches.collect { throw ArithmeticException() } } }
                }
                withPeerStream(six) { stream ->
                    val batches = stream.asFlow().mapBatches(place) { twice(it) }
                    runBlocking { batches.take(2).map { it.number() }.toList() } shouldBe listOf(22, 24)
                }
            }
        }

        test("a collector that is cancelled while it has a batch leaks none") {
            for (place in places) {
                withPeerStream(six) { stream ->
                    val made = CompletableDeferred<Unit>()
                    runBlocking {
                        val collecting =
                            launch {
                                stream.asFlow(prefetch = 2).mapBatches(place) { twice(it) }.collect {
                                    made.complete(Unit)
                                    awaitCancellation()
                                }
                            }
                        made.await()
                        collecting.cancelAndJoin()
                    }
                }
            }
        }

        test("a cancellation just after the lambda has made its batch leaks nothing") {
            for (place in places) {
                val made = ArrayList<RecordBatch>()
                withPeerStream(six) { stream ->
                    runBlocking {
                        launch {
                            val collecting = currentCoroutineContext().job
                            stream
                                .asFlow(EmptyCoroutineContext)
                                .mapBatches(place) { batch ->
                                    twice(batch).also {
                                        made += it
                                        collecting.cancel()
                                    }
                                }.collect { error("cancelled before") }
                        }.join()
                    }
                }
                made.map { it.isLive } shouldBe listOf(false)
            }
        }

        test("transform with emitBatch makes several batches of one") {
            withPeerStream(six) { stream ->
                runBlocking {
                    stream
                        .asFlow()
                        .transform { batch -> for (row in 0 until batch.rowCount) emitBatch(batch.slice(row, 1)) }
                        .mapBatches { it }
                        .map { it.rowCount }
                        .toList()
                } shouldBe List(18) { 1L }
            }
        }

        test("a context with a job is refused, because the collector could not cancel it") {
            shouldThrow<IllegalArgumentException> { numberFlow(1).mapBatches(Job()) { it } }
        }

        /** Our operators on a flow whose batches nobody closes. */
        fun refused(collect: suspend (Flow<RecordBatch>) -> Unit) {
            for (count in listOf(1, 2, 6)) {
                withPeerStream(PeerStreamOptions.batches(count)) { stream ->
                    val failure =
                        shouldThrow<IllegalStateException> {
                            runBlocking { collect(stream.asFlow().map { it.slice(0, 1) }) }
                        }
                    failure.message shouldBe NOT_CLOSED
                }
            }
        }

        test("a map that makes new batches is refused by the next operator, and the batches are closed") {
            refused { batches -> batches.mapBatches { it.share() }.collect {} }
            refused { batches -> batches.collectBatches().close() }
        }

        test("a lambda that returns its batch also closes a batch that nobody else closes") {
            withPeerStream(six) { stream ->
                runBlocking {
                    stream
                        .asFlow()
                        .map { it.slice(0, 1) }
                        .mapBatches { it }
                        .collectBatches()
                        .use { it.rowCount }
                } shouldBe 6L
            }
        }

        test("a map that makes new batches leaks none if it is cut short") {
            withPeerStream(six) { stream ->
                runBlocking {
                    val all = stream.asFlow().map { it.share() }.mapBatches { twice(it) }
                    shouldThrow<ArithmeticException> { all.collect { throw ArithmeticException() } }
                }
            }
        }

        test("batches that the code itself closes after emit are accepted") {
            runBlocking {
                flow { repeat(3) { number -> batchOf(number).use { emit(it) } } }
                    .mapBatches { twice(it) }
                    .map { it.number() }
                    .toList() shouldBe listOf(0, 2, 4)
            }
        }

        test("a collector that cancels itself does not see the next batch") {
            withPeerStream(six) { stream ->
                var seen = 0
                runBlocking {
                    launch {
                        coroutineScope {
                            stream.asFlow().mapBatches { twice(it) }.collect {
                                seen++
                                currentCoroutineContext().cancel()
                            }
                        }
                    }.join()
                }
                seen shouldBe 1
            }
        }
    })
