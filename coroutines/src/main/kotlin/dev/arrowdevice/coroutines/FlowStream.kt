package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CArrayStreamStruct
import dev.arrowdevice.CDeviceArrayStreamStruct
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Exports the flow's batches to a foreign consumer, as an `ArrowArrayStream` in [stream].
 *
 * The flow is collected in [scope], from the first `get_next` on, one batch at a time. Each `get_next` blocks the
 * consumer's thread until the flow emits a batch. The flow goes on at the next `get_next`. A batch is borrowed from the
 * flow and shared with the consumer: the flow closes its own, and the consumer's lives on.
 *
 * **End**: the stream ends with the flow. `get_next` fails if the flow fails, emits a batch of another schema, or emits
 * a batch that nobody closes (as `map { newBatch }` does: write [mapBatches]). It returns an error code (see
 * [dev.arrowdevice.spi.Errno.of]), and the stream has the message. If the consumer calls `release`, the flow is
 * cancelled. If the flow's job or [scope] is cancelled, the current call and all later ones fail with `ECANCELED`, as
 * soon as the flow has stopped.
 *
 * **Threads**: `get_next` waits in the thread that the consumer calls from. The flow needs another thread. If the only
 * thread of [scope] calls a consumer that waits for the flow's batches, the consumer waits forever.
 *
 * @param schema the schema of all batches
 * @return the job that collects the flow. It completes when the flow ends, fails or is cancelled; a failure does not
 * fail [scope]
 * @throws IllegalStateException if the struct was closed; nothing has been started then
 */
public fun Flow<RecordBatch>.exportToStream(
    schema: Schema,
    stream: CArrayStreamStruct,
    scope: CoroutineScope,
): Job = exported(schema, DeviceType.CPU, scope) { ArrowExport.exportStream(it, stream) }

/**
 * Exports the flow's batches to a struct that is valid until [block] ends, and calls [block] with it. If nobody has
 * moved the stream out of the struct by then, the stream is released, which cancels the flow's job. See the other form.
 *
 * @return the job that collects the flow
 */
public inline fun Flow<RecordBatch>.exportToStream(
    schema: Schema,
    scope: CoroutineScope,
    block: (stream: CArrayStreamStruct) -> Unit,
): Job = CStruct.arrayStream().use { stream -> exportToStream(schema, stream, scope).also { block(stream) } }

/** Exports the flow's batches as an `ArrowDeviceArrayStream` on devices of one type; see [exportToStream]. */
public fun Flow<RecordBatch>.exportToDeviceStream(
    schema: Schema,
    stream: CDeviceArrayStreamStruct,
    scope: CoroutineScope,
    deviceType: Int = DeviceType.CPU,
): Job = exported(schema, deviceType, scope) { ArrowExport.exportDeviceStream(it, stream) }

/**
 * Exports the flow's batches, on devices of one type, to a struct that is valid until [block] ends; see
 * [exportToStream].
 */
public inline fun Flow<RecordBatch>.exportToDeviceStream(
    schema: Schema,
    scope: CoroutineScope,
    deviceType: Int = DeviceType.CPU,
    block: (stream: CDeviceArrayStreamStruct) -> Unit,
): Job =
    CStruct.deviceArrayStream().use { stream ->
        exportToDeviceStream(schema, stream, scope, deviceType).also { block(stream) }
    }

private fun Flow<RecordBatch>.exported(
    schema: Schema,
    deviceType: Int,
    scope: CoroutineScope,
    export: (DeviceArrayStream) -> Unit,
): Job {
    val stream = FlowStream(this, schema, deviceType, scope)
    try {
        export(stream)
    } catch (e: Throwable) {
        stream.close()
        throw e
    }
    return stream.job
}

/** A stream whose arrays come from a flow. `pull` blocks its thread. */
private class FlowStream(
    private val flow: Flow<RecordBatch>,
    private val schema: Schema,
    private val deviceType: Int,
    scope: CoroutineScope,
) : DeviceArrayStream() {
    private val field = schema.toStruct()

    /** Has room for one request: only one `pull` can run at a time. */
    private val demand = Channel<Unit>(1)
    private val batches = Channel<DeviceArray>(Channel.RENDEZVOUS) { it.close() }

    val job: Job = scope.launch(start = CoroutineStart.LAZY) { produce() }

    init {
        // If the scope is cancelled before the job has started, get_next must not wait forever.
        job.invokeOnCompletion { cause -> batches.close(cause) }
    }

    private suspend fun produce() {
        try {
            demand.receive()
            flow.collectBorrowed { batch ->
                batch.requireFits(schema, deviceType)
                batches.send(batch.share().intoStruct())
                demand.receive()
            }
            batches.close()
        } catch (e: CancellationException) {
            throw e
        } catch (e: Throwable) {
            // The consumer gets the failure; the scope does not fail.
            batches.close(e)
        }
    }

    override fun getDeviceType(): Int = deviceType

    override fun getField(): Field = field

    override fun pull(): DeviceArray? {
        job.start()
        demand.trySend(Unit)
        val received =
            try {
                runBlocking { batches.receiveCatching() }
            } catch (e: InterruptedException) {
                // A batch may have been lost between the channel and here, so the stream can't go on.
                Thread.currentThread().interrupt()
                val cancelled = CancellationException("get_next was interrupted").apply { initCause(e) }
                job.cancel(cancelled)
                batches.close(cancelled)
                throw cancelled
            }
        received.exceptionOrNull()?.let { throw it }
        return received.getOrNull()
    }

    override fun closeSource() {
        job.cancel()
        batches.cancel()
    }
}

/**
 * The specification: "All incoming records should match the provided schema". All arrays must be on one device type.
 */
internal fun RecordBatch.requireFits(
    declared: Schema,
    deviceType: Int,
) {
    require(schema.fields() == declared.fields()) {
        "a batch of ${schema.fields()} in a stream of ${declared.fields()}"
    }
    require(device.type() == deviceType) { "a batch on $device in a stream on ${DeviceType.name(deviceType)}" }
}
