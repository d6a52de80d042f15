package dev.arrowdevice.coroutines

import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerStreamOptions
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Several batches of a foreign stream with one owner. */
class BatchListTest :
    FunSpec({
        extension(Balance)

        val six = PeerStreamOptions.batches(6)

        test("the batches outlive the stream, until the list is closed") {
            val list = withPeerStream(six) { stream -> runBlocking { stream.asFlow(prefetch = 2).collectBatches() } }
            list.use {
                list.map { it.number() } shouldBe allNumbers
                list.size shouldBe 6
                list.rowCount shouldBe 18L
                list[3].number() shouldBe 14
                list.last().number() shouldBe 16
                shouldThrow<IndexOutOfBoundsException> { list[6] }
            }
            list.close()
            shouldThrow<IllegalStateException> { list[0].number() }.message shouldContain "closed"
        }

        test("a list without batches is empty") {
            runBlocking { emptyFlow<RecordBatch>().collectBatches() }.use { it.isEmpty() shouldBe true }
        }

        test("new batches are collected too") {
            withPeerStream(six) { stream ->
                val list =
                    runBlocking {
                        stream
                            .asFlow()
                            .mapBatches { it.slice(1, 1) }
                            .take(2)
                            .collectBatches()
                    }
                list.use { it.rowCount shouldBe 2L }
            }
        }

        test("a flow of the list lends its batches, repeatedly") {
            withPeerStream(six) { stream ->
                runBlocking {
                    stream.asFlow().collectBatches().use { list ->
                        repeat(2) { list.asFlow().map { it.number() }.toList() shouldBe allNumbers }
                        list.asFlow().collectBatches().use { again -> again.rowCount shouldBe 18L }
                        list.rowCount shouldBe 18L
                    }
                }
            }
        }

        test("a flow that fails leaves nothing behind") {
            withPeerStream(six.failing(3, 28, "disk full")) { stream ->
                shouldThrow<ForeignException> { runBlocking { stream.asFlow(prefetch = 2).collectBatches() } }
            }
            withPeerStream(six) { stream ->
                shouldThrow<ArithmeticException> {
                    runBlocking {
                        stream
                            .asFlow()
                            .onEach { if (it.number() == 14) throw ArithmeticException() }
                            .collectBatches()
                    }
                }
            }
        }

        test("a failure after the last batch leaves nothing behind") {
            withPeerStream(six) { stream ->
                shouldThrow<ArithmeticException> {
                    runBlocking { stream.asFlow().onCompletion { throw ArithmeticException() }.collectBatches() }
                }
            }
        }

        test("a collection that is cancelled leaves nothing behind") {
            withPeerStream(six) { stream ->
                val some = CompletableDeferred<Unit>()
                runBlocking {
                    val collecting =
                        launch(Dispatchers.Default) {
                            stream
                                .asFlow()
                                .onEach {
                                    if (it.number() == 13) {
                                        some.complete(Unit)
                                        awaitCancellation()
                                    }
                                }.collectBatches()
                                .close()
                        }
                    some.await()
                    collecting.cancelAndJoin()
                }
            }
        }
    })
