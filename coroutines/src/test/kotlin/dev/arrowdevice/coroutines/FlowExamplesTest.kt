package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/** The examples of `docs/flows.md` do what it says, also when the stream or the work fails. */
class FlowExamplesTest :
    FunSpec({
        extension(Balance)

        val six = PeerStreamOptions.batches(6)
        val failing = six.failing(3, 28, "disk full")

        test("a stream is collected, with and without prefetch") {
            runBlocking { pulled { peer.produceStream(numbers, PeerOptions.rows(3), six, it) } } shouldBe 18
            withPeerStream(six) { stream -> runBlocking { ahead(stream) } shouldBe 18 }
        }

        test("batches are made of other batches, and from scratch") {
            withPeerStream(six) { stream -> runBlocking { made(stream.asFlow()) { batchOf(1, 2) } } shouldBe 6 }
            withPeerStream(six) { stream -> runBlocking { several(stream.asFlow()).count() } shouldBe 18 }
            runBlocking { own(listOf(2, 3)).map { it.rowCount }.toList() } shouldBe listOf(2L, 3L)
        }

        test("batches are kept in a list") {
            withPeerStream(six) { stream ->
                runBlocking { kept(stream.asFlow()) { list -> list.map { it.number() } shouldBe allNumbers } }
            }
            withPeerStream(failing) { stream ->
                shouldThrow<ForeignException> { runBlocking { kept(stream.asFlow()) { error("not reached") } } }
            }
        }

        test("batches wait in a queue") {
            val worked = ArrayList<Int>()
            withPeerStream(six) { stream -> runBlocking { queued(stream.asFlow()) { worked += it.number() } } }
            worked shouldBe allNumbers
            withPeerStream(six) { stream ->
                shouldThrow<ArithmeticException> {
                    runBlocking { queued(stream.asFlow()) { throw ArithmeticException() } }
                }
            }
            withPeerStream(failing) { stream ->
                shouldThrow<ForeignException> { runBlocking { queued(stream.asFlow()) { it.number() } } }
            }
        }

        test("a failed stream is opened again") {
            val streams = ArrayList<DeviceArrayStream>()
            val open = {
                CStruct.arrayStream().use { struct ->
                    val options = if (streams.isEmpty()) failing else six
                    peer.produceStream(numbers, PeerOptions.rows(3), options, struct.address)
                    ArrowImport.importStream(struct).also { streams += it }
                }
            }
            runBlocking { retried(open) } shouldBe List(3 + 6) { 3L }
            streams.size shouldBe 2
        }

        test("a flow is exported, and made while the consumer reads") {
            var read = ""
            runBlocking { exported(numberFlow(9), numberSchema) { read = peer.drainStream(it, -1) } }
            read.trim().lines().drop(1) shouldBe List(9) { "[{\"n\":$it}]" } + "end"
        }

        test("an async stream is collected until an operator has enough") {
            PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), PeerAsyncOptions.batches(Long.MAX_VALUE)).use {
                runBlocking { enough { handler -> it.start(CAsyncDeviceStreamHandlerStruct.at(handler)) } } shouldBe 300
                it.checkDone()
                it.count(Count.CANCELS) shouldBe 1
            }
        }

        test("an operator's buffer would lose shared batches, so batches are borrowed") {
            withPeerStream(six) { stream ->
                val shared = ArrayList<RecordBatch>()
                shouldThrow<ArithmeticException> {
                    runBlocking {
                        stream
                            .asFlow()
                            .map { batch -> batch.share().also { shared += it } }
                            .buffer(4)
                            .collect { batch -> batch.use { failWithFullBuffer(shared) } }
                    }
                }
                val lost = shared.filter { it.isLive }
                lost.shouldNotBeEmpty()
                lost.forEach { it.close() }
            }
        }
    })

/** Fails when more batches have been shared than the collector has. */
private suspend fun failWithFullBuffer(shared: List<RecordBatch>) {
    while (shared.size < 3) yield()
    throw ArithmeticException("downstream")
}
