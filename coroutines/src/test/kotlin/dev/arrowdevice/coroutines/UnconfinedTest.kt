package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.importStream
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transform
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * kotlinx.coroutines runs the unconfined coroutines of a thread one after the other, never one within the other. A
 * `get_next` within one of them must not wait for the next.
 */
class UnconfinedTest :
    FunSpec({
        extension(Balance)

        /** Fails, and does not hang, if the thread is blocked for ever. */
        fun <R> onThread(block: suspend CoroutineScope.() -> R): R {
            val result = CompletableFuture<R>()
            thread(isDaemon = true) {
                try {
                    result.complete(runBlocking(block = block))
                } catch (e: Throwable) {
                    result.completeExceptionally(e)
                }
            }
            return result.get(SECONDS, TimeUnit.SECONDS)
        }

        /** Resumes unconfined coroutines while it makes each batch. */
        fun yielding(): Flow<RecordBatch> =
            numberFlow(3).transform { batch ->
                withContext(Dispatchers.Unconfined) { yield() }
                val answer = CompletableDeferred<Unit>()
                coroutineScope { launch(Dispatchers.Unconfined) { answer.complete(Unit) } }
                answer.await()
                emit(batch)
            }

        fun Flow<RecordBatch>.throughStream(
            scope: CoroutineScope,
            context: CoroutineContext,
        ): Flow<RecordBatch> =
            importStream { exportToStream(numberSchema, it, scope, context) }.asFlow(EmptyCoroutineContext)

        for ((where, collector) in listOf(
            "runBlocking" to EmptyCoroutineContext,
            "Unconfined" to Dispatchers.Unconfined,
        )) {
            for ((what, context) in listOf(
                "default" to EmptyCoroutineContext,
                "Unconfined" to Dispatchers.Unconfined,
            )) {
                for (stages in 1..3) {
                    test("$stages stages with context $what, collected in $where") {
                        onThread {
                            withContext(collector) {
                                var flow = yielding()
                                repeat(stages) { flow = flow.throughStream(this, context) }
                                flow.map { it.rowCount }.toList()
                            }
                        } shouldBe List(3) { 1L }
                    }
                }
            }
        }

        test("a source with flowOn(Unconfined), collected in an unconfined coroutine") {
            onThread {
                withContext(Dispatchers.Unconfined) {
                    val numbers = yielding().map { it.rowCount }.flowOn(Dispatchers.Unconfined)
                    flowOfBatches { numbers.collect { emit(batchOf(it.toInt())) } }
                        .throughStream(this, EmptyCoroutineContext)
                        .map { it.rowCount }
                        .toList()
                }
            } shouldBe List(3) { 1L }
        }
    })

private const val SECONDS = 20L
