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
 * Sends the flow's batches to a foreign `ArrowAsyncDeviceStreamHandler`, of a consumer.
 *
 * The flow is collected in [scope]; an element goes out as a task when the consumer has asked for one, and until then the
 * flow waits in `emit`, so that demand is honoured exactly and the flow is one element ahead of it at most: its end needs
 * no request. Elements are borrowed from the flow and shared with the consumer; the
 * struct of an array is made when its task is extracted, on the consumer's thread.
 *
 * **End**: the flow's end is sent as the NULL task, its failure as `on_error`; after a `cancel` of the consumer the
 * flow is cancelled and neither is sent. `release` is the last call in every case, also when [scope] is cancelled,
 * which is sent as `on_error` with `ECANCELED`. Tasks that the consumer has then stay valid until it extracts them.
 *
 * **Failure**: an invalid request (of no or fewer batches), a task that fails, a batch of another schema or device type,
 * and one that nobody closes (as of `map { newBatch }`: write [mapBatches]) stop the flow and are sent as
 * `on_error`, from the flow's coroutine.
 *
 * **Threads**: the handler's callbacks run in [scope], one at a time and never within a call of the consumer, also where
 * a dispatcher such as `Unconfined` goes on in place; the consumer may call back from any thread and is never blocked.
 *
 * @param schema the schema of all batches
 * @param metadata what is said about the stream
 * @param batchMetadata what is said about a batch
 * @return the job that collects; it completes after `release`, and does not fail [scope]
 * @throws IllegalStateException for a released handler; nothing has been started then
 */
@OptIn(DelicateCoroutinesApi::class)
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
    // Atomic: it must reach release even if the scope is cancelled before it runs.
    return scope.launch(start = CoroutineStart.ATOMIC) {
        driver.drive(export) { send ->
            coroutineContext.ensureActive()
            collectLent { batch ->
                batch.requireFits(schema, deviceType)
                send(batch, batchMetadata(batch))
            }
        }
    }
}

/** Wakes the collecting coroutine at requests and stops it at the consumer's cancel, and at what it does wrong. */
private class AsyncDriver : AsyncExport.Listener {
    private val requested = Channel<Unit>(Channel.CONFLATED)

    /** Why the flow is to stop: the first of what has happened. */
    private val stop = AtomicReference<CancellationException>()

    // Both are known before the consumer is called for the first time, and so before it can call back.
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
     * Does what may resume the flow's coroutine, which calls the handler: never within a call of the consumer. "This
     * function MUST NOT synchronously call on_next_task or on_error", nor may cancel call release.
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
                // A flow of batches that are there does not look whether it was stopped.
                stop.get()?.let { throw it }
                collecting.ensureActive()
                send(started, batch, metadata)
            }
            failure()?.let { throw it }
            if (!started.isCancelled) started.end()
        } catch (e: Throwable) {
            // Neither the consumer's own cancel nor its refusal is news for it.
            if (!started.isCancelled && started.isOpen) started.fail(failure() ?: e)
            if (e is CancellationException) throw e
        } finally {
            started.release()
        }
    }

    /** What stopped the flow, where that is a failure. */
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
    // Closing does nothing once the batch has been moved.
    override fun extract(): DeviceArray = batch.use { it.intoStruct() }

    override fun discard() {
        batch.close()
    }
}

/** Stops the flow for a [failure] that the consumer is to be told. */
private class StopException(
    failure: Throwable,
) : CancellationException("the async stream has failed: ${failure.message}") {
    init {
        initCause(failure)
    }
}
