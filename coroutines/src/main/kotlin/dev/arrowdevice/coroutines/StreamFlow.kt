package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.Verb
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * The dispatcher on which [asFlow] calls producers by default. Each call that blocks has a thread of its own, of those
 * that [Dispatchers.IO] shares with [Dispatchers.Default]; their number has no limit. With a limit, a producer that
 * itself waits for such a call, as in a pipeline of several streams, could wait for ever. Where the producers do not
 * wait for each other, `Dispatchers.IO.limitedParallelism(n)` sets one.
 */
@OptIn(ExperimentalCoroutinesApi::class) // Before kotlinx.coroutines 1.9.
public val StreamDispatcher: CoroutineDispatcher = Dispatchers.IO.limitedParallelism(Int.MAX_VALUE)

/**
 * The batches of this stream as a cold flow. It can be collected once, because a stream can be read once. The
 * collection moves the stream and closes it at the end, however it ends. If the flow is never collected, the caller
 * still owns the stream.
 *
 * **Batches are borrowed**: a batch is closed when `emit` returns, that is, when the collector, or the next operator,
 * is done with it. `share()` keeps one. A batch that is used later throws an [IllegalStateException] that says what to
 * write instead, because operators that keep elements would lose them on cancellation. In place of `flowOn` pass a
 * [context], in place of `buffer` a [prefetch]; in place of `toList` write [collectBatches], and in place of a `map`
 * that makes new batches [mapBatches]. `docs/flows.md` describes each operator.
 *
 * **Cancellation**: nothing can interrupt a call of the producer, so the collection waits until it returns, and closes
 * the batch. Then it closes the prefetched batches and releases the stream. Only then does `collect` return. So
 * `withTimeout` over a producer that blocks takes as long as the producer blocks.
 *
 * **Threads**: the producer is called in [context], one call at a time. The collector runs in its own context.
 *
 * @param context where the blocking calls run, by default [StreamDispatcher]. A context without a dispatcher, such as
 * `EmptyCoroutineContext`, calls on the collector's own thread, which costs least and blocks that thread. It must not
 * have a job. An executor that is ended by `shutdownNow` drops what it was given without a word, so a collection that has
 * work on it waits for ever; `shutdown` lets it end
 * @param prefetch the number of batches that are read before the collector asks for them; 0 reads each when it is asked
 * for
 * @throws IllegalStateException when collected a second time, or if the stream was closed or moved, or the dispatcher of
 * [context] shut down
 * @throws dev.arrowdevice.ForeignException when collected, for an error that the producer reports
 */
public fun DeviceArrayStream.asFlow(
    context: CoroutineContext = StreamDispatcher,
    prefetch: Int = 0,
): Flow<RecordBatch> {
    require(prefetch >= 0) { "prefetch is $prefetch" }
    require(context[Job] == null) { "context has a job: a flow is cancelled by its collector alone" }
    val lent = this
    val collected = AtomicBoolean()
    return flow {
        check(collected.compareAndSet(false, true)) { COLLECTED }
        val stream = Move.stream(lent, Verb.COLLECT)
        try {
            if (prefetch == 0) {
                emitEach(stream, context)
            } else {
                emitAhead(stream, context, prefetch)
            }
        } finally {
            try {
                withContext(NonCancellable) { inContext(context) { stream.close() } }
            } catch (_: IllegalStateException) {
                stream.close() // The dispatcher was shut down and has dropped the block.
            }
        }
    }
}

private suspend fun FlowCollector<RecordBatch>.emitEach(
    stream: DeviceArrayStream,
    context: CoroutineContext,
) {
    while (true) {
        // withContext loses its result if the caller is cancelled meanwhile, so a variable keeps the batch.
        var batch: RecordBatch? = null
        try {
            inContext(context) { batch = stream.nextBatch() }
        } catch (e: Throwable) {
            batch?.close()
            throw e
        }
        emitBatch(batch ?: return)
    }
}

private suspend fun FlowCollector<RecordBatch>.emitAhead(
    stream: DeviceArrayStream,
    context: CoroutineContext,
    prefetch: Int,
) {
    coroutineScope {
        // All prefetched batches are in the channel, except for the one whose sender waits.
        val ahead = Channel<RecordBatch>(prefetch - 1) { it.close() }
        // A dispatcher that was shut down drops the block, which then closes no channel.
        launch(context) { fetchAll(stream, ahead) }.invokeOnCompletion { ahead.close(explained(it)) }
        try {
            for (batch in ahead) {
                emitBatch(batch)
            }
        } finally {
            ahead.cancel()
        }
    }
}

private suspend fun CoroutineScope.fetchAll(
    stream: DeviceArrayStream,
    target: Channel<RecordBatch>,
) {
    try {
        while (true) {
            // Sending to a channel with room does not check for cancellation, and the next call may block.
            ensureActive()
            target.send(stream.nextBatch() ?: break)
        }
        target.close()
    } catch (e: Throwable) {
        // The collector gets the failure after the batches before it.
        target.close(explained(e))
    }
}

/** Runs [block] in [context], like withContext, but makes no coroutine if the context is the same. */
private suspend inline fun inContext(
    context: CoroutineContext,
    crossinline block: () -> Unit,
) {
    val here = currentCoroutineContext()
    if (context === EmptyCoroutineContext || context === here[ContinuationInterceptor]) {
        here.ensureActive() // The block may call a producer, which may take long.
        block()
        here.ensureActive()
    } else {
        try {
            withContext(context) { block() }
        } catch (e: CancellationException) {
            throw explained(e)!!
        }
    }
}

/** A dispatcher that was shut down cancels what it is given. The collector is not cancelled, so it gets a failure. */
private fun explained(failure: Throwable?): Throwable? {
    val refused =
        failure is CancellationException &&
            generateSequence(failure.cause) { it.cause }.any { it is RejectedExecutionException }
    return if (refused) IllegalStateException(SHUT_DOWN, failure) else failure
}

private const val SHUT_DOWN = "asFlow: the dispatcher of the context takes no more work: its executor was shut down"

internal const val COLLECTED =
    "the flow of a stream can be collected once, because the stream can be read once. To read again, for instance in " +
        "retry, open a new stream for each collection: flow { emitAll(open().asFlow()) }"
