package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Makes a new batch of each batch, and closes it when the next step is done with it. Use it in place of `map { }`,
 * which leaves new batches to the garbage collector.
 *
 * The batch that [transform] gets is borrowed, as in every flow. [transform] may return it. The flow owns the batch
 * that [transform] returns: to keep one, [share][RecordBatch.share] it.
 *
 * **Failure and cancellation**: a batch that [transform] has returned is closed, however the collection ends. A batch
 * that it has made and not returned is [transform]'s to close. `withContext` in [transform] loses its result when it is
 * cancelled: pass a [context] here instead.
 *
 * @param context where [transform] runs, such as `Dispatchers.Default`; by default where the collector runs. It must
 * not have a job
 * @throws IllegalStateException when collected, if nobody closes a batch of this flow, as after `map { newBatch }` and
 * `map { it.share() }`. The message says what to write instead
 */
public fun Flow<RecordBatch>.mapBatches(
    context: CoroutineContext = EmptyCoroutineContext,
    transform: suspend (RecordBatch) -> RecordBatch,
): Flow<RecordBatch> {
    require(context[Job] == null) { "context has a job: a flow is cancelled by its collector alone" }
    val source = this
    return flow {
        source.collectBorrowed { batch ->
            emitBatch(if (context === EmptyCoroutineContext) transform(batch) else madeIn(context, batch, transform))
        }
    }
}

/**
 * Runs [transform] in [context]. withContext loses its result if the caller is cancelled meanwhile, so a variable keeps
 * the batch.
 */
private suspend fun madeIn(
    context: CoroutineContext,
    batch: RecordBatch,
    transform: suspend (RecordBatch) -> RecordBatch,
): RecordBatch {
    var made: RecordBatch? = null
    try {
        withContext(context) { made = transform(batch) }
        return made!!
    } catch (e: Throwable) {
        made?.close()
        throw e
    }
}
