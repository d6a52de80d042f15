package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceType
import dev.arrowdevice.ForeignException
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerOptions
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.util.HexFormat
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A foreign async stream as a flow. */
class AsyncDeviceStreamTest :
    FunSpec({
        extension(Balance)

        test("all batches arrive in order, for any number of producer threads and any window") {
            for (threads in 1L..3L) {
                for (window in listOf(1, 2, 5)) {
                    withAsyncPeer(PeerAsyncOptions.batches(12).onThreads(threads), window) {
                        it.flow.map { batch -> batch.number() }.toList() shouldBe List(12) { k -> 11 + k }
                    }
                }
            }
        }

        test("an empty stream ends") {
            withAsyncPeer(PeerAsyncOptions.batches(0)) { it.flow.toList() shouldBe emptyList() }
        }

        test("each collection has a handler and a producer of its own") {
            val options = PeerAsyncOptions.batches(2)
            val producers = ArrayList<PeerAsyncProducer>()
            val flow =
                asyncDeviceStream {
                    producers += PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options).apply { start(it) }
                }
            runBlocking { repeat(3) { flow.map { it.number() }.toList() shouldBe listOf(11, 12) } }
            producers.size shouldBe 3
            producers.forEach { producer -> producer.use { it.checkDone() } }
        }

        test("at most a window of batches is requested, and a request is outstanding until the end") {
            for (window in listOf(1, 3)) {
                withAsyncPeer(PeerAsyncOptions.batches(9).with(PeerAsyncFault.END_NEEDS_DEMAND), window) {
                    var taken = 0L
                    it.flow.collect { _ ->
                        taken++
                        val ahead = it.producer.count(Count.TASKS) - taken
                        ahead shouldBeLessThanOrEqual window - 1L
                        // Requests after the producer has sent the end do not reach it.
                        it.producer.count(Count.REQUESTED) shouldBeLessThanOrEqual window + taken - 1
                    }
                    taken shouldBe 9
                }
            }
        }

        test("extract_data runs in the collector's coroutine") {
            withAsyncPeer(PeerAsyncOptions.batches(3), window = 3) {
                it.flow.collect { _ ->
                    // The producer may be ahead with its tasks, but nobody has extracted those.
                    it.producer.count(Count.EXTRACTED) shouldBeLessThanOrEqual 3
                    val log = it.producer.log().lines()
                    log.count { line -> line.startsWith("extract") } shouldBe it.producer.count(Count.EXTRACTED).toInt()
                }
            }
            withAsyncPeer(PeerAsyncOptions.batches(5), window = 5) {
                var taken = 0L
                it.flow.collect { _ ->
                    it.producer.await(Count.TASKS, 5)
                    it.producer.count(Count.EXTRACTED) shouldBe ++taken
                }
            }
        }

        test("a batch with nulls of its own fails the flow, and is released") {
            val nullable = PeerField.of("", "+s", PeerField.of("n", "i"))
            val withNulls = PeerOptions.rows(3).withNullEvery(2)
            PeerAsyncProducer(peer, nullable, withNulls, PeerAsyncOptions.batches(1)).use { producer ->
                val failure =
                    shouldThrow<IllegalArgumentException> {
                        runBlocking { asyncDeviceStream { producer.start(it) }.collect {} }
                    }
                failure.message shouldContain "nulls of its own"
                producer.checkDone()
            }
        }

        test("metadata of the stream and of each batch can be read, and the schema and the device type") {
            val hex = HexFormat.of()
            val rows = hex.parseHex(PeerField.of("", "n").withMetadata("rows", "6").metadata)
            val host = hex.parseHex(PeerField.of("", "n").withMetadata("host", "a").metadata)
            val options = PeerAsyncOptions.batches(2).withMetadata(rows, host, null)
            PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options).use { producer ->
                val seen = ArrayList<String>()
                runBlocking {
                    asyncDeviceBatches { producer.start(it) }.collect {
                        it.stream.schema shouldBe numberSchema
                        it.stream.deviceType shouldBe DeviceType.CPU
                        seen += "${it.batch.number()} ${it.metadata.get("host")} ${it.stream.metadata.get("rows")}"
                    }
                }
                seen shouldBe listOf("11 a 6", "12 a 6")
                producer.checkDone()
            }
        }

        test("batches are borrowed; a shared one outlives the stream") {
            val kept = ArrayList<RecordBatch>()
            val shared =
                withAsyncPeer(PeerAsyncOptions.batches(2)) { peer ->
                    peer.flow
                        .map {
                            kept += it
                            it.share()
                        }.toList()
                }
            shouldThrow<IllegalStateException> { kept[0].number() }.message shouldContain
                "asyncDeviceStream(window = …)"
            shared.map { batch -> batch.use { it.number() } } shouldBe listOf(11, 12)
        }

        test("an error of the producer is thrown after the batches before it, with code, text and metadata") {
            val host = HexFormat.of().parseHex(PeerField.of("", "n").withMetadata("host", "a\u0000b").metadata)
            val options = PeerAsyncOptions.batches(9).failing(2, 28, "disk full").withMetadata(null, null, host)
            withAsyncPeer(options, window = 4) {
                val seen = ArrayList<Int>()
                val failure = shouldThrow<ForeignException> { it.flow.collect { batch -> seen += batch.number() } }
                failure.errno shouldBe 28
                failure.message shouldContain "disk full"
                failure.metadata.get("host") shouldBe "a\u0000b"
                seen shouldBe listOf(11, 12)
            }
        }

        test("a failure before the schema is thrown") {
            withAsyncPeer(PeerAsyncOptions.batches(1).failing(0, 22, "bad").with(PeerAsyncFault.ERROR_FIRST)) {
                shouldThrow<ForeignException> { it.flow.collect {} }.errno shouldBe 22
            }
        }

        test("a task that fails throws the error of the on_error that follows") {
            withAsyncPeer(PeerAsyncOptions.batches(9).failingTask(1, 12, "no room"), window = 3) {
                val failure = shouldThrow<ForeignException> { it.flow.collect {} }
                failure.message shouldBe "[on_error][ENOMEM 12] no room"
                failure.suppressed.single().message shouldBe "[extract_data][ENOMEM 12] the task failed"
            }
        }

        test("a task that fails throws its own error if the producer only releases") {
            val silent = PeerAsyncOptions.batches(2).failingTask(1, 5, null)
            withAsyncPeer(silent.with(PeerAsyncFault.NO_ERROR_AFTER_TASK, PeerAsyncFault.NO_END)) {
                shouldThrow<ForeignException> { it.flow.collect {} }.message shouldBe
                    "[extract_data][EIO 5] the task failed"
            }
        }

        test("a task without an array and an error code throws its own error, even after the end of the stream") {
            withAsyncPeer(PeerAsyncOptions.batches(2).failingTask(1, 5, null).with(PeerAsyncFault.FAILS_SILENTLY)) {
                shouldThrow<ForeignException> { it.flow.collect {} }.message shouldContain
                    "the producer returned no array"
            }
        }

        test("a release before the end or before the schema is a failure") {
            for (fault in listOf(PeerAsyncFault.NO_END, PeerAsyncFault.RELEASE_FIRST)) {
                withAsyncPeer(PeerAsyncOptions.batches(1).with(fault)) {
                    shouldThrow<ForeignException> { it.flow.collect {} }.message shouldContain
                        "released the stream before its end"
                }
            }
        }

        test("a stream of arrays that are not batches is refused") {
            PeerAsyncProducer(peer, PeerField.of("n", "i"), PeerOptions.rows(3), PeerAsyncOptions.batches(1)).use {
                val flow = asyncDeviceStream { handler -> it.start(handler) }
                shouldThrow<InvalidSchemaException> { runBlocking { flow.collect {} } }
                it.checkDone()
            }
        }

        test("an array on another device type than the stream's is refused, and the stream cancelled") {
            withAsyncPeer(PeerAsyncOptions.batches(5).with(PeerAsyncFault.WRONG_DEVICE)) {
                shouldThrow<InvalidArrayException> { it.flow.collect {} }
                it.producer.count(Count.CANCELS) shouldBe 1
            }
        }

        test("producers that send too much, within a call, twice or too early do no harm") {
            for (fault in listOf(
                PeerAsyncFault.SURPLUS,
                PeerAsyncFault.INLINE_TASKS,
                PeerAsyncFault.SCHEMA_TWICE,
                PeerAsyncFault.FREES_PRODUCER,
                PeerAsyncFault.CALLS_AFTER_RELEASE,
                PeerAsyncFault.GUARDS_SCHEMA,
            )) {
                withAsyncPeer(PeerAsyncOptions.batches(6).with(fault)) {
                    it.flow.map { batch -> batch.number() }.toList() shouldBe List(6) { k -> 11 + k }
                }
            }
            withAsyncPeer(PeerAsyncOptions.batches(3).with(PeerAsyncFault.TASK_FIRST)) {
                it.flow.map { batch -> batch.number() }.toList() shouldBe listOf(12, 13)
            }
        }

        test("producers without a producer struct, a schema or an extract_data are refused") {
            for (fault in listOf(
                PeerAsyncFault.NULL_PRODUCER,
                PeerAsyncFault.NULL_SCHEMA,
                PeerAsyncFault.NULL_EXTRACT,
            )) {
                withAsyncPeer(PeerAsyncOptions.batches(6).with(fault, PeerAsyncFault.ERROR_AFTER_REFUSAL)) {
                    shouldThrow<RuntimeException> { it.flow.collect {} }.message shouldContain "NULL"
                }
            }
        }

        test("a start that fails releases the handler, and its failure is thrown") {
            runBlocking {
                val flow = asyncDeviceStream { throw UnsupportedOperationException("no such query") }
                shouldThrow<UnsupportedOperationException> { flow.collect {} }.message shouldBe "no such query"
            }
        }

        test("a start that fails after the producer has started keeps the handler valid for it") {
            PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), PeerAsyncOptions.batches(9)).use { producer ->
                val flow =
                    asyncDeviceStream {
                        producer.start(it)
                        producer.await(Count.REQUESTS, 1)
                        error("afterwards")
                    }
                runBlocking { shouldThrow<IllegalStateException> { flow.collect {} }.message shouldBe "afterwards" }
                producer.checkDone()
            }
        }

        test("a window below 1 is refused") {
            shouldThrow<IllegalArgumentException> { asyncDeviceStream(window = 0) {} }
        }

        test("a release timeout of 0 or less is refused") {
            for (timeout in listOf(Duration.ZERO, (-1).seconds)) {
                shouldThrow<IllegalArgumentException> { asyncDeviceStream(releaseTimeout = timeout) {} }
            }
        }

        test("the collector may run on any dispatcher") {
            for (dispatcher in listOf(Dispatchers.Default, Dispatchers.Unconfined)) {
                withAsyncPeer(PeerAsyncOptions.batches(50).onThreads(2), window = 3) {
                    withContext(dispatcher) {
                        it.flow.map { batch -> batch.number() }.toList() shouldBe List(50) { k -> 11 + k }
                    }
                }
            }
        }

        test("an Unconfined collector ends and cancels within the producer's calls") {
            for (fault in listOf(null, PeerAsyncFault.CANCELS_INLINE, PeerAsyncFault.FREES_PRODUCER)) {
                val options = PeerAsyncOptions.batches(9).failing(5, 5, "disk").onThreads(2)
                for (enough in listOf(1, 3, 9)) {
                    withAsyncPeer(if (fault == null) options else options.with(fault), window = 3) {
                        val numbers = it.flow.map { batch -> batch.number() }.take(enough)
                        val collected = withContext(Dispatchers.Unconfined) { runCatching { numbers.toList() } }
                        if (enough == 9) {
                            collected.exceptionOrNull()!!.message shouldContain "disk"
                        } else {
                            collected.getOrThrow() shouldBe List(enough) { k -> 11 + k }
                        }
                    }
                }
            }
        }
    })
