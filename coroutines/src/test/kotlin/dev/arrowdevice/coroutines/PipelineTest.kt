package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.importStream
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import dev.arrowdevice.peers.arrowcpp.CppRecordBatchReader
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

private const val DEPTH = 64
private const val BATCHES = 5
private val READ = listOf("schema 0 0 +s||;1 2 i|n|;", "[{\"n\":0}]", "[{\"n\":1}]", "end")

/** Streams that wait for each other: none waits for a thread that another one holds. */
class PipelineTest :
    FunSpec({
        extension(Balance)

        /** Runs [test] where a pipeline that hangs is a failure. */
        fun piped(test: suspend CoroutineScope.(pipelines: CoroutineScope) -> Unit) {
            runBlocking {
                val pipelines = CoroutineScope(Job())
                withTimeout(1.minutes) { test(pipelines) }
                pipelines.coroutineContext[Job]!!.cancelAndJoin()
            }
        }

        /** Runs the flow through [depth] exports and imports, and [between] each of them. */
        fun CoroutineScope.staged(
            source: Flow<RecordBatch>,
            depth: Int,
            between: (DeviceArrayStream) -> DeviceArrayStream = { it },
        ): Flow<RecordBatch> =
            (1..depth).fold(source) { flow, _ ->
                between(importStream { flow.exportToStream(numberSchema, it, this) }).asFlow()
            }

        suspend fun Flow<RecordBatch>.numbers(): List<Int> = map { it.number() }.toList()

        test("a pipeline may be deeper than any pool of threads") {
            piped { pipelines ->
                pipelines.staged(numberFlow(BATCHES), DEPTH).numbers() shouldBe List(BATCHES) { it }
            }
        }

        test("a foreign library may stand between all stages").config(
            enabledOrReasonIf = { ArrowCpp.whyUnavailable()?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            fun throughCpp(stream: DeviceArrayStream): DeviceArrayStream =
                CStruct.arrayStream().use { struct ->
                    ArrowExport.exportStream(stream, struct)
                    CppRecordBatchReader.importFrom(struct.address).use { reader ->
                        importStream { reader.exportTo(it.address) }
                    }
                }
            piped { pipelines ->
                pipelines.staged(numberFlow(BATCHES), DEPTH, ::throughCpp).numbers() shouldBe List(BATCHES) { it }
            }
        }

        test("many pipelines may be collected at once, each of two streams that block") {
            piped { pipelines ->
                List(DEPTH) { async { pipelines.staged(numberFlow(BATCHES), 2).numbers() } }.awaitAll() shouldBe
                    List(DEPTH) { List(BATCHES) { number -> number } }
            }
        }

        test("consumers may block all threads of the dispatcher that the flow's scope has") {
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { single ->
                for (dispatcher in listOf(Dispatchers.Default, single)) {
                    piped {
                        val scope = CoroutineScope(dispatcher + Job())
                        val consumers =
                            List(16) {
                                scope.async {
                                    CStruct.arrayStream().use { struct ->
                                        // The flow suspends, and goes on where a thread is free: in get_next.
                                        val flow = numberFlow(2).onEach { delay(1.milliseconds) }
                                        flow.exportToStream(numberSchema, struct, scope)
                                        peer.drainStream(struct.address, -1).trim().lines()
                                    }
                                }
                            }
                        consumers.awaitAll() shouldBe List(16) { READ }
                    }
                }
            }
        }

        test("a consumer on the thread of runBlocking runs its flow there, and no other coroutine of the thread") {
            piped {
                val first = CompletableDeferred<Unit>()
                val order = mutableListOf<String>()

                fun CoroutineScope.consume(
                    name: String,
                    flow: Flow<RecordBatch>,
                ) {
                    CStruct.arrayStream().use { struct ->
                        flow.exportToStream(numberSchema, struct, this)
                        peer.drainStream(struct.address, -1).trim().lines() shouldBe READ
                    }
                    order += name
                }
                launch {
                    consume("first", numberFlow(2).onEach { yield() })
                    first.complete(Unit)
                }
                launch { consume("second", numberFlow(2).onEach { first.await() }) }.join()
                order shouldBe listOf("first", "second")
            }
        }

        test("a foreign stream is read through a pipeline, and cancelling the last stage releases the first") {
            piped { pipelines ->
                withPeerStream(PeerStreamOptions.batches(Int.MAX_VALUE)) { source ->
                    val reached = CompletableDeferred<Unit>()
                    val reading =
                        launch { pipelines.staged(source.asFlow(), DEPTH).collect { reached.complete(Unit) } }
                    reached.await()
                    reading.cancelAndJoin()
                }
            }
        }
    })
