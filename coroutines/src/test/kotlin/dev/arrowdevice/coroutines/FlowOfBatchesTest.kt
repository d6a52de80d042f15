package dev.arrowdevice.coroutines

import dev.arrowdevice.CStruct
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Flows of batches that are made here, read by us and by a consumer in C. */
class FlowOfBatchesTest :
    FunSpec({
        extension(Balance)

        fun made(count: Int) = flowOfBatches { repeat(count) { emit(batchOf(it)) } }

        /** The C peer's log of reading the flow as a stream. */
        fun read(batches: Flow<RecordBatch>): List<String> =
            runBlocking {
                CStruct.arrayStream().use { struct ->
                    val job = batches.exportToStream(numberSchema, struct, this)
                    val text = withContext(Dispatchers.IO) { peer.drainStream(struct.address, -1) }
                    job.join()
                    text.trim().lines().drop(1)
                }
            }

        test("each batch is closed when emit returns, and the flow can be collected again") {
            val batches = made(3)
            val seen = ArrayList<RecordBatch>()
            runBlocking {
                repeat(2) { batches.collect { seen += it.also { batch -> batch.isLive shouldBe true } } }
            }
            seen.map { it.isLive } shouldBe List(6) { false }
            shouldThrow<IllegalStateException> { seen[0].number() }.message shouldContain "borrowed from a flow"
        }

        test("a consumer in C reads the batches") {
            read(made(2)) shouldBe listOf("[{\"n\":0}]", "[{\"n\":1}]", "end")
        }

        test("the batches of another flow may be emitted too") {
            withPeerStream(PeerStreamOptions.batches(2)) { stream ->
                val batches =
                    flowOfBatches {
                        emit(batchOf(1))
                        emitAll(stream.asFlow())
                        emitBatch(batchOf(2))
                    }
                runBlocking { batches.map { it.number() }.toList() } shouldBe listOf(1, 11, 12, 2)
            }
        }

        test("the current batch is closed if the collector fails, ends or is cancelled") {
            shouldThrow<ArithmeticException> { runBlocking { made(3).collect { throw ArithmeticException() } } }
            runBlocking { made(3).take(1).map { it.number() }.toList() } shouldBe listOf(0)
            runBlocking {
                launch {
                    made(3).collect {
                        currentCoroutineContext().cancel()
                        awaitCancellation()
                    }
                }.join()
            }
        }

        test("a failure of the block is thrown after the batches before it") {
            val numbers = ArrayList<Int>()
            val failing =
                flowOfBatches {
                    emit(batchOf(7))
                    throw ArithmeticException()
                }
            shouldThrow<ArithmeticException> { runBlocking { failing.collect { numbers += it.number() } } }
            numbers shouldBe listOf(7)
        }

        test("a consumer in C gets an error for batches that nobody closes") {
            for (count in listOf(1, 3)) {
                val leaking = flow { repeat(count) { emit(batchOf(it)) } }
                read(leaking) shouldBe
                    listOf(
                        "[{\"n\":0}]",
                        "error ${Errno.of(IllegalStateException())} IllegalStateException: $NOT_CLOSED",
                    )
            }
            read(made(2).map { it.share() }).last() shouldStartWith "error "
        }
    })
