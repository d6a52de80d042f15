package dev.arrowdevice.coroutines

import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.Verb
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.retry
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.UnconfinedTestDispatcher
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.yield
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** A stream as a flow: order, borrowing, prefetching, failures. */
@OptIn(ExperimentalCoroutinesApi::class)
class StreamFlowTest :
    FunSpec({
        extension(Balance)

        val contexts =
            listOf(
                StreamDispatcher,
                EmptyCoroutineContext,
                Dispatchers.Default,
                Dispatchers.Unconfined,
                UnconfinedTestDispatcher(),
            )

        test("all batches of a foreign stream are collected in order, on any context, with any prefetch") {
            for (context in contexts) {
                for (prefetch in listOf(0, 1, 4)) {
                    withPeerStream(PeerStreamOptions.batches(9)) { stream ->
                        runBlocking { stream.asFlow(context, prefetch).map { it.number() }.toList() } shouldBe
                            List(9) { 11 + it }
                    }
                }
            }
        }

        test("the producer is called in the context, one call at a time, and the collector runs where it is") {
            Executors.newSingleThreadExecutor { Thread(it, "producer-calls") }.asCoroutineDispatcher().use { calls ->
                for (prefetch in listOf(0, 1, 4)) {
                    val callers = HashSet<String>()
                    val source = Source(5) { callers += Thread.currentThread().name.substringBefore(" @") }
                    val here = Thread.currentThread()
                    runBlocking {
                        source.stream.asFlow(calls, prefetch).collect { Thread.currentThread() shouldBe here }
                    }
                    callers shouldBe setOf("producer-calls")
                    source.closed.get() shouldBe 1
                }
            }
        }

        test("without a dispatcher the producer is called on the collector's thread") {
            val here = Thread.currentThread()
            val source = Source(3) { Thread.currentThread() shouldBe here }
            runBlocking { source.stream.asFlow(EmptyCoroutineContext).collect {} }
        }

        test("all elements of a context apply to the calls, also on the collector's thread") {
            val local = ThreadLocal<String>()
            val here = Thread.currentThread()
            runBlocking {
                val dispatcher = checkNotNull(currentCoroutineContext()[ContinuationInterceptor])
                for (context in listOf(EmptyCoroutineContext, dispatcher)) {
                    val source =
                        Source(3) {
                            local.get() shouldBe "producer"
                            Thread.currentThread() shouldBe here
                        }
                    source.stream.asFlow(context + local.asContextElement("producer")).collect {
                        local.get() shouldBe null
                    }
                }
            }
        }

        test("calls on the collector's dispatcher make no coroutine each") {
            val here = Thread.currentThread()
            val entered = AtomicInteger()
            val counter =
                object : AbstractCoroutineContextElement(EnteringKey), ThreadContextElement<Int> {
                    override fun updateThreadContext(context: CoroutineContext) = entered.incrementAndGet()

                    override fun restoreThreadContext(
                        context: CoroutineContext,
                        oldState: Int,
                    ) = Unit
                }
            val source = Source(20) { Thread.currentThread() shouldBe here }
            runBlocking(counter) {
                val before = entered.get()
                source.stream.asFlow(checkNotNull(currentCoroutineContext()[ContinuationInterceptor])).collect {}
                (entered.get() - before) shouldBeLessThan 20
            }
        }

        test("prefetch is the exact number of batches that are read ahead") {
            for (prefetch in listOf(0, 1, 2, 4)) {
                runTest {
                    val source = Source(20)
                    var taken = 0
                    source.stream.asFlow(EmptyCoroutineContext, prefetch).collect {
                        taken++
                        repeat(20) { yield() }
                        source.pulled.get() shouldBe minOf(taken + prefetch, 20)
                    }
                    taken shouldBe 20
                }
            }
        }

        test("a batch is closed when the collector is done with it, and the error says what to write instead") {
            for (prefetch in listOf(0, 2)) {
                withPeerStream(PeerStreamOptions.batches(3)) { stream ->
                    val kept = ArrayList<RecordBatch>()
                    runBlocking { stream.asFlow(prefetch = prefetch).toList(kept) }
                    kept.size shouldBe 3
                    for (batch in kept) {
                        batch.isLive shouldBe false
                        val message = shouldThrow<IllegalStateException> { batch.number() }.message
                        message shouldContain "keep a share() in a collection of yours"
                        message shouldContain "In place of flowOn write asFlow(context = …)"
                        message shouldContain "in place of buffer asFlow(prefetch = …)"
                    }
                }
            }
        }

        test("a shared batch outlives the flow and the stream") {
            withPeerStream(PeerStreamOptions.batches(3)) { stream ->
                val shared = runBlocking { stream.asFlow(prefetch = 1).map { it.share() }.toList() }
                shared.map { batch -> batch.use { it.number() } } shouldBe listOf(11, 12, 13)
            }
        }

        test("a collector may close or move the batch") {
            withPeerStream(PeerStreamOptions.batches(4)) { stream ->
                runBlocking {
                    stream.asFlow().collect { if (it.number() % 2 == 0) it.close() else it.intoStruct().close() }
                }
            }
        }

        test("an error of the producer is thrown after the batches before it") {
            for (prefetch in listOf(0, 1, 4)) {
                withPeerStream(PeerStreamOptions.batches(9).failing(3, 28, "disk full")) { stream ->
                    val seen = ArrayList<Int>()
                    val failure =
                        shouldThrow<ForeignException> {
                            runBlocking { stream.asFlow(prefetch = prefetch).collect { seen += it.number() } }
                        }
                    failure.errno shouldBe 28
                    failure.message shouldContain "disk full"
                    seen shouldBe listOf(11, 12, 13)
                }
            }
        }

        test("the error of a second collection says that the stream can be read once") {
            val source = Source(2)
            val flow = source.stream.asFlow()
            runBlocking {
                flow.collect {}
                shouldThrow<IllegalStateException> { flow.collect {} }.message shouldContain
                    "open a new stream for each collection: flow { emitAll(open().asFlow()) }"
            }
            source.closed.get() shouldBe 1
        }

        test("a retry of a failed stream throws too, and does not continue it") {
            withPeerStream(PeerStreamOptions.batches(9).failing(1, 5, "gone")) { stream ->
                val failures = ArrayList<Throwable>()
                runBlocking {
                    stream
                        .asFlow()
                        .retry(1)
                        .catch { failures += it }
                        .collect {}
                }
                failures.single().message shouldContain "can be collected once"
            }
        }

        test("a flow that is never collected leaves the stream to the caller") {
            val source = Source(2)
            source.stream.asFlow()
            source.stream.nextBatch()!!.close()
            source.stream.close()
            source.closed.get() shouldBe 1
        }

        test("a stream that was closed or moved before the collection is refused") {
            val closed = Source(2).stream.apply { close() }.asFlow()
            val moved = Source(2).stream
            Move.stream(moved, Verb.WRAP).close()
            runBlocking {
                shouldThrow<IllegalStateException> { closed.collect {} }.message shouldContain
                    "the stream has been closed"
                shouldThrow<IllegalStateException> { moved.asFlow().collect {} }.message shouldContain "moved"
            }
        }

        test("a negative prefetch and a context with a job are refused") {
            Source(1).stream.use { stream ->
                shouldThrow<IllegalArgumentException> { stream.asFlow(prefetch = -1) }
                shouldThrow<IllegalArgumentException> { stream.asFlow(Dispatchers.IO + Job()) }
            }
        }
    })

private object EnteringKey : CoroutineContext.Key<CoroutineContext.Element>
