package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.AsyncWork
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext

/**
 * Sends the flow's batches to a consumer's `ArrowAsyncDeviceStreamHandler`.
 *
 * The flow is collected in [scope]. A batch is sent as a task when the consumer has requested it; until then the flow
 * waits in `emit`. So no batch is sent that was not requested, and the flow is at most one batch ahead of the requests.
 * Its end needs no request. Batches are borrowed from the flow and shared with the consumer. The C struct of an array
 * is made when the consumer extracts its task, on the consumer's thread.
 *
 * **End**: the end of the flow is sent as the NULL task, its failure as `on_error`. If the consumer calls `cancel`, the
 * flow is cancelled and neither is sent. `release` is the last call in every case. If [scope] is cancelled, `on_error`
 * is called with `ECANCELED` before it. Tasks that the consumer has by then stay valid until it extracts them.
 *
 * **Failure**: an invalid request (of zero or fewer batches), a task that fails, a batch of another schema or device
 * type, and a batch that nobody closes (as `map { newBatch }` makes it: write [mapBatches]) stop the flow. They are
 * sent as `on_error`, from the flow's coroutine.
 *
 * **Threads**: the handler's callbacks run in [scope], one at a time and never within a call of the consumer, even if
 * the dispatcher resumes in place as `Unconfined` does. The consumer may call from any thread and is never blocked.
 *
 * @param schema the schema of all batches
 * @param metadata the metadata of the stream
 * @param batchMetadata the metadata of a batch
 * @return the job that collects the flow. It completes after `release`; its failure does not fail [scope]
 * @throws IllegalStateException for a released handler; nothing has been started then
 */
@OptIn(DelicateCoroutinesApi::class, ExperimentalCoroutinesApi::class) // The second only before kotlinx.coroutines 1.9.
public fun Flow<RecordBatch>.exportToAsyncHandler(
    schema: Schema,
    handler: CAsyncDeviceStreamHandlerStruct,
    scope: CoroutineScope,
    deviceType: Int = DeviceType.CPU,
    metadata: Metadata = Metadata.EMPTY,
    batchMetadata: (RecordBatch) -> Metadata = { Metadata.EMPTY },
): Job {
    val driver = AsyncDriver()
    val export = AsyncExport.open(handler, schema.toStruct(), deviceType, metadata, driver)
    // ATOMIC, because the job must call release even if the scope is cancelled before the job runs.
    return scope.launch(start = CoroutineStart.ATOMIC) {
        driver.drive(export) { send ->
            coroutineContext.ensureActive()
            collectBorrowed { batch ->
                batch.requireFits(schema, deviceType)
                send(batch, batchMetadata(batch))
            }
        }
    }
}

/**
 * Resumes the collecting coroutine when the consumer requests batches. Stops it when the consumer cancels or makes a
 * mistake.
 */
private class AsyncDriver : AsyncExport.Listener {
    private val requested = Channel<Unit>(Channel.CONFLATED)

    /** The first reason to stop the flow. */
    private val stop = AtomicReference<CancellationException>()

    // Both are set before the first call of the consumer, and so before the consumer can call back.
    private lateinit var export: AsyncExport
    private lateinit var collecting: CoroutineContext

    override fun onRequest() {
        val invalid = export.invalidRequest
        if (invalid == null) afterCall { requested.trySend(Unit) } else stop(StopException(invalid))
    }

    override fun onCancel() {
        stop(CancellationException("the consumer cancelled the async stream"))
    }

    override fun onTaskFailure(failure: Throwable) {
        stop(StopException(failure))
    }

    private fun stop(reason: CancellationException) {
        if (stop.compareAndSet(null, reason)) afterCall { collecting.job.cancel(reason) }
    }

    /**
     * Runs [resume], which may resume the flow's coroutine, after the consumer's call has returned. That coroutine
     * calls the handler: "This function MUST NOT synchronously call on_next_task or on_error". `cancel` must not call
     * `release` either.
     */
    private fun afterCall(resume: () -> Unit) {
        collecting.resumingLater(resume)
    }

    suspend fun drive(
        started: AsyncExport,
        collect: suspend (suspend (RecordBatch, Metadata) -> Unit) -> Unit,
    ) {
        export = started
        collecting = currentCoroutineContext()
        try {
            if (!started.start()) return
            collect { batch, metadata ->
                while (started.demand == 0L) requested.receive()
                // A flow whose batches are ready need not suspend, and so does not notice that it was cancelled.
                stop.get()?.let { throw it }
                collecting.ensureActive()
                send(started, batch, metadata)
            }
            failure()?.let { throw it }
            if (!started.isCancelled) started.end()
        } catch (e: Throwable) {
            // The consumer knows about its own cancel and its refusal.
            if (!started.isCancelled && started.isOpen) started.fail(failure() ?: e)
            if (e is CancellationException) throw e
        } finally {
            started.release()
        }
    }

    /** The failure that stopped the flow; null if something else did. */
    private fun failure(): Throwable? = (stop.get() as? StopException)?.cause

    private fun send(
        started: AsyncExport,
        batch: RecordBatch,
        metadata: Metadata,
    ) {
        val work = BatchWork(batch.share())
        val accepted =
            try {
                started.offer(work, metadata)
            } catch (e: Throwable) {
                work.discard()
                throw e
            }
        if (!accepted) throw CancellationException("the consumer refused a task")
    }
}

private class BatchWork(
    private val batch: RecordBatch,
) : AsyncWork {
    // After the move, use's close does nothing.
    override fun extract(): DeviceArray = batch.use { it.intoStruct() }

    override fun discard() {
        batch.close()
    }
}

/** Stops the flow for a [failure] that is reported to the consumer. */
private class StopException(
    failure: Throwable,
) : CancellationException("the async stream has failed: ${failure.message}") {
    init {
        initCause(failure)
    }
}
