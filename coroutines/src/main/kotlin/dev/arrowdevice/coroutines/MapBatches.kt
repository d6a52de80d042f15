package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Makes a batch of each batch, and closes what [transform] gives when the next step is done with it: in place of
 * `map { }`, which would leave the new batches to the garbage collector.
 *
 * The batch that [transform] gets is borrowed, as in every flow; giving the same one back is fine. The batch that it
 * gives goes over to the flow: [share][RecordBatch.share] one that you keep.
 *
 * **Failure and cancellation**: what [transform] has given is closed however the collection ends. What it has made and not
 * given yet is its own to close. A `withContext` inside of it loses its result when it is cancelled, so name a [context] here
 * instead.
 *
 * @param context where [transform] runs, such as `Dispatchers.Default`; by default where the collector runs. No job may be
 * in it
 * @throws IllegalStateException when collected, if a batch of this flow is closed by nobody, which `map { newBatch }`
 * and `map { it.share() }` lead to; the message says what to write instead
 */
public fun Flow<RecordBatch>.mapBatches(
    context: CoroutineContext = EmptyCoroutineContext,
    transform: suspend (RecordBatch) -> RecordBatch,
): Flow<RecordBatch> {
    require(context[Job] == null) { "context has a job: a flow is cancelled by its collector alone" }
    val source = this
    return flow {
        source.collectLent { batch ->
            emitBatch(if (context === EmptyCoroutineContext) transform(batch) else madeIn(context, batch, transform))
        }
    }
}

/** The result of withContext is lost if the caller is cancelled meanwhile, so it is kept outside. */
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
