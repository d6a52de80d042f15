package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceType
import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.peers.PeerDrain
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private const val SCHEMA = "schema 0 0 +s||;1 2 i|n|;"

/** A flow as a stream that a foreign consumer pulls. */
class FlowStreamTest :
    FunSpec({
        extension(Balance)

        /** Exports the flow to the C peer, which drains it from a thread of its own. */
        suspend fun CoroutineScope.drained(
            flow: Flow<RecordBatch>,
            limit: Int = -1,
            vararg what: PeerDrain,
        ): List<String> =
            CStruct.arrayStream().use { struct ->
                val job = flow.exportToStream(numberSchema, struct, this)
                val text = withContext(Dispatchers.IO) { peer.drainStream(struct.address, limit, *what) }
                job.join()
                text.trim().lines()
            }

        test("all batches and the end are read, with other calls in between") {
            runBlocking {
                val expected = listOf(SCHEMA, "[{\"n\":0}]", "[{\"n\":1}]", "[{\"n\":2}]", "end")
                drained(numberFlow(3)) shouldBe expected
                val all = arrayOf(PeerDrain.ARRAYS_OUTLIVE, PeerDrain.ASK_ERROR, PeerDrain.SCHEMA_TWICE)
                drained(numberFlow(3), -1, *all).filter { it != "end" } shouldBe expected.filter { it != "end" }
                drained(emptyFlow()) shouldBe listOf(SCHEMA, "end")
            }
        }

        test("device streams have the same batches") {
            runBlocking {
                CStruct.deviceArrayStream().use { struct ->
                    numberFlow(1).exportToDeviceStream(numberSchema, struct, this)
                    val text = withContext(Dispatchers.IO) { peer.drainDeviceStream(struct.address, -1) }
                    text.trim().lines() shouldBe listOf(SCHEMA, "[{\"n\":0}]", "end")
                }
            }
        }

        test("the flow is collected from the first get_next on, one batch for each call") {
            val emitted = AtomicInteger()
            runBlocking(Dispatchers.Default) {
                CStruct.arrayStream().use { struct ->
                    val flow = numberFlow(9).onEach { emitted.incrementAndGet() }
                    val job = flow.exportToStream(numberSchema, struct, this)
                    yield()
                    emitted.get() shouldBe 0
                    withContext(Dispatchers.IO) { peer.drainStream(struct.address, 2) }
                    job.join()
                    emitted.get() shouldBe 2
                    job.isCancelled shouldBe true
                }
            }
        }

        test("a flow that cancels itself ends the stream with an error, and its job is cancelled") {
            runBlocking(Dispatchers.Default) {
                CStruct.arrayStream().use { struct ->
                    val flow = flow<RecordBatch> { throw CancellationException("no longer wanted") }
                    val job = flow.exportToStream(numberSchema, struct, this)
                    val text = withContext(Dispatchers.IO) { peer.drainStream(struct.address, -1) }
                    text.trim().lines().last() shouldStartWith "error ${Errno.ECANCELED} "
                    job.join()
                    job.isCancelled shouldBe true
                }
            }
        }

        test("release by the consumer cancels a waiting flow") {
            val ended = CompletableFuture<Throwable?>()
            runBlocking(Dispatchers.Default) {
                val flow =
                    flow {
                        emitBatch(batchOf(1))
                        awaitCancellation()
                    }.onCompletion { ended.complete(it) }
                drained(flow, 1).last() shouldBe "closed"
            }
            (ended.join() is CancellationException) shouldBe true
        }

        test("a release before the first get_next never starts the flow") {
            runBlocking {
                CStruct.arrayStream().use { struct ->
                    val job =
                        flow<RecordBatch> {
                            error(
                                "collected",
                            )
                        }.exportToStream(numberSchema, struct, this)
                    peer.releaseStream(struct.address)
                    job.join()
                }
            }
        }

        test("a failure of the flow is reported with code and message, and does not fail the scope") {
            runBlocking {
                val failing =
                    flow {
                        emitBatch(batchOf(1))
                        throw ForeignException("get_next", 28, "disk full")
                    }
                drained(failing).drop(1) shouldBe
                    listOf("[{\"n\":1}]", "error 28 ForeignException: [get_next][errno 28] disk full")
                drained(flow { throw UnsupportedOperationException("no") }).last() shouldBe
                    "error ${Errno.ENOSYS} UnsupportedOperationException: no"
            }
        }

        test("a batch of another schema fails the stream, and the flow closes it") {
            runBlocking {
                val other = flow { emitBatch(recordBatch { column<Long>("m") { addAll(listOf(1L)) } }) }
                drained(other).last() shouldStartWith "error ${Errno.EINVAL} IllegalArgumentException: a batch of "
            }
        }

        test("a cancelled job fails the current call and all later ones with ECANCELED") {
            runBlocking(Dispatchers.Default) {
                CStruct.arrayStream().use { struct ->
                    val collecting = CompletableDeferred<Unit>()
                    val flow =
                        flow<RecordBatch> {
                            collecting.complete(Unit)
                            awaitCancellation()
                        }
                    val job = flow.exportToStream(numberSchema, struct, this)
                    launch {
                        collecting.await()
                        job.cancel()
                    }
                    val text = withContext(Dispatchers.IO) { peer.drainStream(struct.address, -1) }
                    text.trim().lines().last() shouldStartWith "error ${Errno.ECANCELED} "
                }
            }
        }

        test("a cancelled scope fails all calls with ECANCELED") {
            val scope = CoroutineScope(Job()).apply { cancel() }
            CStruct.arrayStream().use { struct ->
                numberFlow(1).exportToStream(numberSchema, struct, scope)
                val text = peer.drainStream(struct.address, -1)
                text.trim().lines().last() shouldStartWith "error ${Errno.ECANCELED} "
            }
        }

        test("an interrupt of the thread that waits in get_next fails the call and cancels the flow") {
            val collecting = CompletableFuture<Unit>()
            val ended = CompletableFuture<Throwable?>()
            runBlocking(Dispatchers.Default) {
                CStruct.arrayStream().use { struct ->
                    val flow =
                        flow<RecordBatch> {
                            collecting.complete(Unit)
                            awaitCancellation()
                        }.onCompletion { ended.complete(it) }
                    val job = flow.exportToStream(numberSchema, struct, this)
                    val text = CompletableFuture<String>()
                    val consumer = thread { text.complete(peer.drainStream(struct.address, -1)) }
                    withContext(Dispatchers.IO) {
                        collecting.get(20, TimeUnit.SECONDS)
                        consumer.interrupt()
                        consumer.join()
                    }
                    job.join()
                    text
                        .join()
                        .trim()
                        .lines()
                        .last() shouldStartWith
                        "error ${Errno.ECANCELED} CancellationException: get_next was interrupted"
                    generateSequence(ended.join()) { it.cause }.any { it is InterruptedException } shouldBe true
                }
            }
        }

        test("the consumer's batches outlive the flow") {
            runBlocking(Dispatchers.Default) {
                val text = drained(numberFlow(3), 2, PeerDrain.ARRAYS_OUTLIVE)
                text shouldBe listOf(SCHEMA, "closed", "[{\"n\":0}]", "[{\"n\":1}]")
            }
        }

        test("a closed struct is refused, and nothing is started") {
            runBlocking {
                val stream = CStruct.arrayStream().also { it.close() }
                shouldThrow<IllegalStateException> { numberFlow(1).exportToStream(numberSchema, stream, this) }
                val deviceStream = CStruct.deviceArrayStream().also { it.close() }
                shouldThrow<IllegalStateException> {
                    numberFlow(1).exportToDeviceStream(numberSchema, deviceStream, this, DeviceType.CPU)
                }
            }
        }

        test("a block gets the struct, and may suspend") {
            runBlocking(Dispatchers.Default) {
                val text = CompletableDeferred<String>()
                val job =
                    numberFlow(1).exportToStream(numberSchema, this) { stream ->
                        withContext(Dispatchers.IO) { text.complete(peer.drainStream(stream.address, -1)) }
                    }
                text.await().trim().lines() shouldBe listOf(SCHEMA, "[{\"n\":0}]", "end")
                job.join()
                job.isCancelled shouldBe false
                val deviceText = CompletableDeferred<String>()
                numberFlow(1).exportToDeviceStream(numberSchema, this) { stream ->
                    withContext(Dispatchers.IO) { deviceText.complete(peer.drainDeviceStream(stream.address, -1)) }
                }
                deviceText.await().trim().lines() shouldBe listOf(SCHEMA, "[{\"n\":0}]", "end")
            }
        }

        test("a stream that nobody took in the block is released, and the flow is cancelled") {
            runBlocking(Dispatchers.Default) {
                val job = numberFlow(2).exportToStream(numberSchema, this) { }
                job.join()
                job.isCancelled shouldBe true
                val failure =
                    shouldThrow<IllegalArgumentException> {
                        numberFlow(2).exportToStream(numberSchema, this) { throw IllegalArgumentException("refused") }
                    }
                failure.message shouldBe "refused"
            }
        }

        test("a negative prefetch and a context with a job are refused, and the struct stays released") {
            runBlocking {
                CStruct.arrayStream().use { struct ->
                    shouldThrow<IllegalArgumentException> {
                        numberFlow(1).exportToStream(numberSchema, struct, this, prefetch = -1)
                    }.message shouldBe "prefetch is -1"
                    shouldThrow<IllegalArgumentException> {
                        numberFlow(1).exportToStream(numberSchema, struct, this, Job())
                    }.message!! shouldStartWith "context has a job"
                    struct.isLive shouldBe false
                }
            }
        }

        test("a flow on an unconfined dispatcher runs on the thread that calls get_next") {
            for (prefetch in 0..2) {
                runBlocking {
                    CStruct.arrayStream().use { struct ->
                        val threads = ConcurrentHashMap.newKeySet<Thread>()
                        val flow = numberFlow(3).onEach { threads += Thread.currentThread() }
                        val unconfined = Dispatchers.Unconfined
                        val job = flow.exportToStream(numberSchema, struct, this, unconfined, prefetch)
                        val text = CompletableFuture<String>()
                        val consumer = thread { text.complete(peer.drainStream(struct.address, -1)) }
                        withContext(Dispatchers.IO) { consumer.join() }
                        text
                            .join()
                            .trim()
                            .lines()
                            .size shouldBe 5
                        threads shouldBe setOf(consumer)
                        job.join()
                    }
                }
            }
        }

        test("with prefetch as many batches wait as asked for, and are made anew when half of them are taken") {
            val emitted = AtomicInteger()
            runBlocking {
                CStruct.arrayStream().use { struct ->
                    val flow = numberFlow(20).onEach { emitted.incrementAndGet() }
                    // Unconfined: the flow is ahead as far as it may be when a call returns.
                    val job = flow.exportToStream(numberSchema, struct, this, Dispatchers.Unconfined, prefetch = 4)
                    withContext(Dispatchers.IO) {
                        ArrowImport.importStream(struct).use { stream ->
                            List(4) {
                                stream.nextBatch()!!.close()
                                emitted.get()
                            } shouldBe listOf(4, 6, 6, 8)
                        }
                    }
                    job.join()
                }
            }
        }

        test("with prefetch batches are made ahead, and those that nobody took are closed with the stream") {
            val emitted = AtomicInteger()
            val isAhead = CompletableDeferred<Unit>()
            val flow =
                flow {
                    repeat(3) {
                        emitBatch(batchOf(it))
                        emitted.incrementAndGet()
                    }
                    isAhead.complete(Unit)
                    awaitCancellation()
                }
            runBlocking(Dispatchers.Default) {
                CStruct.arrayStream().use { struct ->
                    val job = flow.exportToStream(numberSchema, struct, this, prefetch = 4)
                    val stream = ArrowImport.importStream(struct)
                    withContext(Dispatchers.IO) { stream.nextBatch()!!.use { it.number() shouldBe 0 } }
                    isAhead.await()
                    stream.close()
                    job.join()
                    job.isCancelled shouldBe true
                }
            }
            emitted.get() shouldBe 3
        }

        test("an exported stream is imported as the same flow") {
            runBlocking(Dispatchers.Default) {
                CStruct.arrayStream().use { struct ->
                    numberFlow(20).exportToStream(numberSchema, struct, this)
                    var next = 0
                    ArrowImport
                        .importStream(struct)
                        .asFlow(prefetch = 2)
                        .collect { it.number() shouldBe next++ }
                    next shouldBe 20
                }
            }
        }
    })
