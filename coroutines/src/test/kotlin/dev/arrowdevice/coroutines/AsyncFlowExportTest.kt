package dev.arrowdevice.coroutines

import dev.arrowdevice.Metadata
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncConsumer.Count
import dev.arrowdevice.peers.PeerAsyncConsumer.Options
import dev.arrowdevice.peers.PeerAsyncHabit
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onStart
import kotlinx.coroutines.runBlocking
import java.lang.foreign.Arena
import kotlin.concurrent.thread

/** A flow as an async stream that drives a foreign handler: what is sent, when, and on which thread. */
class AsyncFlowExportTest :
    FunSpec({
        extension(Balance)

        test("schema, batches and end are sent in order, whenever the consumer extracts") {
            val log =
                exported(Options.requesting(3), numberFlow(3)) {
                    for (task in listOf(2L, 0L, 1L)) it.consumer.extract(task) shouldBe 0
                }
            log shouldBe
                listOf(SCHEMA_LINE, "task 0", "task 1", "task 2", "end", "release") +
                listOf("batch 2 [{\"n\":2}]", "batch 0 [{\"n\":0}]", "batch 1 [{\"n\":1}]")
        }

        test("an empty flow ends without a request") {
            exported(Options.requesting(0), emptyFlow()) shouldBe listOf(SCHEMA_LINE, "end", "release")
        }

        test("metadata of the stream and of each batch is sent") {
            val rows = Metadata.of("rows", "2")
            val log =
                exported(
                    Options.requesting(2).with(PeerAsyncHabit.EXTRACTS_INLINE),
                    numberFlow(2),
                    metadata = rows,
                    batchMetadata = { Metadata.of("k", "v${it.number()}") },
                )
            log[0] shouldBe SCHEMA_LINE + " " + hex("rows", "2")
            log.filter { it.startsWith("task") } shouldBe
                listOf("task 0 " + hex("k", "v0"), "task 1 " + hex("k", "v1"))
        }

        test("no task is sent before a request, and never more than were requested") {
            val log =
                exported(Options.requesting(0), numberFlow(6)) {
                    it.tasks() shouldBe 0
                    it.request(1) shouldBe 1
                    it.request(3) shouldBe 4
                    it.tasks() shouldBe 4
                    it.job.isCompleted shouldBe false
                    it.request(1) shouldBe 5
                    // More than there is: the end follows the last batch.
                    it.request(Long.MAX_VALUE) shouldBe 6
                    repeat(6) { task -> it.consumer.discard(task.toLong()) }
                }
            log.count { it == "end" } shouldBe 1
        }

        test("concurrent requests and requests within callbacks are all counted") {
            exported(Options.requesting(1), numberFlow(9)) {
                repeat(4) { _ -> it.consumer.request(2) }
                it.tasks() shouldBe 9
                repeat(9) { task -> it.consumer.discard(task.toLong()) }
            }
            val habits = arrayOf(PeerAsyncHabit.REQUESTS_INLINE, PeerAsyncHabit.EXTRACTS_INLINE)
            val log = exported(Options.requesting(1).with(*habits), numberFlow(50))
            log.filter { it.startsWith("batch") } shouldBe List(50) { "batch $it [{\"n\":$it}]" }
        }

        test("an array is made when its task is extracted, on the thread that extracts") {
            val threads = HashMap<Int, Thread>()
            val flow =
                flow {
                    repeat(3) { emitBatch(watchedBatch(it) { threads[it] = Thread.currentThread() }) }
                }
            exported(Options.requesting(3), flow) {
                it.tasks() shouldBe 3
                threads shouldBe emptyMap()
                val other = thread { it.consumer.extract(1) }.apply { join() }
                threads shouldBe mapOf(1 to other)
                it.consumer.extract(0)
                threads shouldBe mapOf(1 to other, 0 to Thread.currentThread())
                // Nothing is made for a task that is not wanted.
                it.consumer.discard(2)
                threads.size shouldBe 2
            }
        }

        test("native threads extract while the flow goes on, and request more even after release") {
            val habits = arrayOf(PeerAsyncHabit.EXTRACTS_ON_THREAD, PeerAsyncHabit.REQUESTS_LATE)
            for (dispatcher in listOf(Dispatchers.Default, Dispatchers.Unconfined)) {
                PeerAsyncConsumer(peer, Options.requesting(3).with(*habits)).use { consumer ->
                    runBlocking(dispatcher) {
                        numberFlow(500).exportToAsyncHandler(numberSchema, consumer.handler(), this)
                    }
                    consumer.await(Count.EXTRACTED, 500)
                    val log = consumer.checkDone()
                    log.filter { it.startsWith("batch") } shouldBe List(500) { "batch $it [{\"n\":$it}]" }
                    log.filter { it.startsWith("task") } shouldBe List(500) { "task $it" }
                }
            }
        }

        test("after release the consumer can extract its tasks, and discarded tasks are released") {
            PeerAsyncConsumer(peer, Options.requesting(3)).use { consumer ->
                runBlocking {
                    numberFlow(3).exportToAsyncHandler(numberSchema, consumer.handler(), this)
                }
                consumer.checkDone().last() shouldBe "release"
                consumer.extract(0) shouldBe 0
                thread { consumer.extract(2) }.join()
                consumer.discard(1) shouldBe 0
                consumer.request(1)
                consumer.cancelOnThreads(2)
                consumer.count(Count.EXTRACTED) shouldBe 2
                consumer.checkDone().takeLast(3) shouldBe
                    listOf("batch 0 [{\"n\":0}]", "batch 2 [{\"n\":2}]", "discard 1")
            }
        }

        test("batches that the flow makes or keeps are shared with the consumer") {
            val kept = batchOf(7)
            exported(
                Options.requesting(3).with(PeerAsyncHabit.EXTRACTS_INLINE),
                flow {
                    repeat(2) { emitBatch(kept.share()) }
                    kept.share().use { emit(it) }
                },
            ).filter { it.startsWith("batch") } shouldBe List(3) { "batch $it [{\"n\":7}]" }
            kept.number() shouldBe 7
            kept.close()
        }

        test("the flow may run elsewhere than the handler's callbacks") {
            val log =
                PeerAsyncConsumer(peer, Options.requesting(20).with(PeerAsyncHabit.EXTRACTS_INLINE)).use { consumer ->
                    runBlocking {
                        flow { repeat(20) { emit(it) } }
                            .flowOn(Dispatchers.Default)
                            .map { batchOf(it) }
                            .let { batches -> flow { batches.collect { emitBatch(it) } } }
                            .exportToAsyncHandler(numberSchema, consumer.handler(), this)
                    }
                    consumer.checkDone()
                }
            log.filter { it.startsWith("batch") } shouldBe List(20) { "batch $it [{\"n\":$it}]" }
        }

        test("an exported flow is imported as the same flow") {
            runBlocking(Dispatchers.Default) {
                lateinit var sending: Job
                var next = 0
                asyncDeviceBatches(window = 3) { handler ->
                    sending =
                        numberFlow(100).exportToAsyncHandler(
                            numberSchema,
                            handler,
                            this,
                            metadata = Metadata.of("rows", "1"),
                            batchMetadata = { Metadata.of("number", it.number().toString()) },
                        )
                }.collect {
                    it.batch.number() shouldBe next
                    it.metadata.get("number") shouldBe "${next++}"
                    it.stream.metadata.get("rows") shouldBe "1"
                }
                next shouldBe 100
                sending.join()
            }
        }

        test("a NULL address and a handler that was released are refused, and nothing is started") {
            var collected = 0
            val flow = numberFlow(1).onStart { collected++ }
            Arena.ofConfined().use { arena ->
                val zeroed = arena.allocate(48, 8).address()
                runBlocking {
                    shouldThrow<IllegalArgumentException> { CAsyncDeviceStreamHandlerStruct.at(0) }
                    shouldThrow<IllegalStateException> {
                        flow.exportToAsyncHandler(
                            numberSchema,
                            CAsyncDeviceStreamHandlerStruct.at(zeroed),
                            this,
                        )
                    }.message shouldContain "already been released"
                }
            }
            collected shouldBe 0
        }
    })
