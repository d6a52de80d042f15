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
 * Moves the flow's batches out to a foreign consumer, as an `ArrowArrayStream` in [stream].
 *
 * The flow is collected in [scope] from the first `get_next` on, one batch at a time: each `get_next` blocks the foreign
 * thread until the flow gives a batch, and the flow goes on only at the next one. Elements are borrowed from the flow and
 * shared with the consumer, so that they outlive it; the flow closes its own.
 *
 * **End**: the flow's end is the stream's. A failing flow, a batch of another schema, or one that nobody closes (as of
 * `map { newBatch }`: write [mapBatches]) fails `get_next` with an error code (see [dev.arrowdevice.spi.Errno.of]) and its
 * message. Foreign `release` cancels the flow; cancelling the flow's job or [scope] fails the call under way and all later
 * ones with `ECANCELED`, as soon as the flow has stopped.
 *
 * **Threads**: `get_next` waits in the thread that the consumer calls from. So the flow needs another one: a [scope] whose
 * only thread calls a consumer that waits for its own batches never gets any.
 *
 * @param schema the schema of all batches
 * @return the job that collects; it completes when the flow ends, fails (without failing [scope]) or is cancelled
 * @throws IllegalStateException if the struct was closed; then nothing has been started
 */
public fun Flow<RecordBatch>.exportToStream(
    schema: Schema,
    stream: CArrayStreamStruct,
    scope: CoroutineScope,
): Job = exported(schema, DeviceType.CPU, scope) { ArrowExport.exportStream(it, stream) }

/**
 * Passes an export of the flow's batches to a [block], in a struct that lives as long as the block. If nobody has taken
 * the stream when the block ends, it is released, which cancels the flow's job; see the other form.
 *
 * @return the job that collects
 */
public inline fun Flow<RecordBatch>.exportToStream(
    schema: Schema,
    scope: CoroutineScope,
    block: (stream: CArrayStreamStruct) -> Unit,
): Job = CStruct.arrayStream().use { stream -> exportToStream(schema, stream, scope).also { block(stream) } }

/** Moves the flow's batches out as an `ArrowDeviceArrayStream` on devices of one type; see [exportToStream]. */
public fun Flow<RecordBatch>.exportToDeviceStream(
    schema: Schema,
    stream: CDeviceArrayStreamStruct,
    scope: CoroutineScope,
    deviceType: Int = DeviceType.CPU,
): Job = exported(schema, deviceType, scope) { ArrowExport.exportDeviceStream(it, stream) }

/** Passes an export of the flow's batches, on devices of one type, to a [block]; see [exportToStream]. */
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

/** A stream whose arrays come from a flow; `pull` blocks its thread. */
private class FlowStream(
    private val flow: Flow<RecordBatch>,
    private val schema: Schema,
    private val deviceType: Int,
    scope: CoroutineScope,
) : DeviceArrayStream() {
    private val field = schema.toStruct()

    /** Holds the one call of `pull` that can be under way. */
    private val demand = Channel<Unit>(1)
    private val batches = Channel<DeviceArray>(Channel.RENDEZVOUS) { it.close() }

    val job: Job = scope.launch(start = CoroutineStart.LAZY) { produce() }

    init {
        // Also where the scope is cancelled before the job has run at all: get_next must not wait for ever.
        job.invokeOnCompletion { cause -> batches.close(cause) }
    }

    private suspend fun produce() {
        try {
            demand.receive()
            flow.collectLent { batch ->
                batch.requireFits(schema, deviceType)
                batches.send(batch.share().intoStruct())
                demand.receive()
            }
            batches.close()
        } catch (e: CancellationException) {
            throw e
        } catch (e: Throwable) {
            // The consumer gets the failure; the scope goes on.
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
                // A batch may have been lost on the way: the stream can't go on.
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

/** "All incoming records should match the provided schema", and all arrays the device type. */
internal fun RecordBatch.requireFits(
    declared: Schema,
    deviceType: Int,
) {
    require(schema.fields() == declared.fields()) {
        "a batch of ${schema.fields()} in a stream of ${declared.fields()}"
    }
    require(device.type() == deviceType) { "a batch on $device in a stream on ${DeviceType.name(deviceType)}" }
}
