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
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.launch
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

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
 * **Threads**: a flow runs in the context of its collector. Here the collector is the thread that calls `get_next`: it
 * runs the flow while it waits, also after the flow has suspended. The dispatcher of [scope] is not used. So no pool
 * runs out of threads, however many streams wait for each other. While no call waits, as after a cancellation, the flow
 * runs on [StreamDispatcher]. It also does if `get_next` is called by a coroutine on `Dispatchers.Unconfined`, whose thread
 * can run no other one. A flow that must run elsewhere gets a [context]. It must not wait for a coroutine of the
 * thread that calls `get_next`, such as one of the same `runBlocking`.
 *
 * @param schema the schema of all batches
 * @param scope whose job is the parent of the flow's job
 * @param context where the flow runs; by default, without a dispatcher, or with `Dispatchers.Unconfined` and no prefetch,
 * on the threads that are named above. A dispatcher must have a thread that no `get_next` of these batches blocks. With
 * `Dispatchers.Unconfined` and a prefetch, `get_next` must not be called by a coroutine on `Dispatchers.Unconfined`. It must
 * not have a job
 * @param prefetch the number of batches that the flow makes before the consumer asks for them. When half of them are
 * taken, the flow goes on. If it is above 0, the flow runs in [context], by default on [StreamDispatcher], beside the
 * consumer; 0 makes each batch when it is asked for
 * @return the job that collects the flow. It completes when the flow ends, fails or is cancelled; a failure does not
 * fail [scope]
 * @throws IllegalStateException if the struct was closed; nothing has been started then
 */
public fun Flow<RecordBatch>.exportToStream(
    schema: Schema,
    stream: CArrayStreamStruct,
    scope: CoroutineScope,
    context: CoroutineContext = EmptyCoroutineContext,
    prefetch: Int = 0,
): Job =
    FlowStream(this, schema, DeviceType.CPU, scope, context, prefetch).export {
        ArrowExport.exportStream(it, stream)
    }

/**
 * Exports the flow's batches to a struct that is valid until [block] ends, and calls [block] with it. If nobody has
 * moved the stream out of the struct by then, the stream is released, which cancels the flow's job. See the other form.
 *
 * @return the job that collects the flow
 */
public inline fun Flow<RecordBatch>.exportToStream(
    schema: Schema,
    scope: CoroutineScope,
    context: CoroutineContext = EmptyCoroutineContext,
    prefetch: Int = 0,
    block: (stream: CArrayStreamStruct) -> Unit,
): Job =
    CStruct.arrayStream().use { stream ->
        exportToStream(schema, stream, scope, context, prefetch).also { block(stream) }
    }

/** Exports the flow's batches as an `ArrowDeviceArrayStream` on devices of one type; see [exportToStream]. */
public fun Flow<RecordBatch>.exportToDeviceStream(
    schema: Schema,
    stream: CDeviceArrayStreamStruct,
    scope: CoroutineScope,
    deviceType: Int = DeviceType.CPU,
    context: CoroutineContext = EmptyCoroutineContext,
    prefetch: Int = 0,
): Job =
    FlowStream(this, schema, deviceType, scope, context, prefetch).export {
        ArrowExport.exportDeviceStream(it, stream)
    }

/**
 * Exports the flow's batches, on devices of one type, to a struct that is valid until [block] ends; see
 * [exportToStream].
 */
public inline fun Flow<RecordBatch>.exportToDeviceStream(
    schema: Schema,
    scope: CoroutineScope,
    deviceType: Int = DeviceType.CPU,
    context: CoroutineContext = EmptyCoroutineContext,
    prefetch: Int = 0,
    block: (stream: CDeviceArrayStreamStruct) -> Unit,
): Job =
    CStruct.deviceArrayStream().use { stream ->
        exportToDeviceStream(schema, stream, scope, deviceType, context, prefetch).also { block(stream) }
    }

/** A stream whose arrays come from a flow. */
private class FlowStream(
    private val flow: Flow<RecordBatch>,
    private val schema: Schema,
    private val deviceType: Int,
    scope: CoroutineScope,
    context: CoroutineContext,
    prefetch: Int,
) : DeviceArrayStream() {
    private val field = schema.toStruct()
    private val consumer = WaitingThread(StreamDispatcher)
    private val batches = BatchQueue(prefetch, consumer::wake)
    private val job: Job

    init {
        require(prefetch >= 0) { "prefetch is $prefetch" }
        require(context[Job] == null) { "context has a job: the flow's job is a child of the scope's" }
        val chosen = context[ContinuationInterceptor]
        val dispatcher =
            when {
                prefetch == 0 && (chosen == null || chosen === Dispatchers.Unconfined) -> consumer
                else -> chosen ?: StreamDispatcher
            }
        job = scope.launch(context + dispatcher, CoroutineStart.LAZY) { produce() }
        // Also if the scope is cancelled before the job has started: get_next must not wait forever.
        job.invokeOnCompletion(batches::end)
    }

    private suspend fun produce() {
        try {
            batches.awaitDemand()
            flow.collectBorrowed { batch ->
                batch.requireFits(schema, deviceType)
                batches.add(batch.share().intoStruct())
                batches.awaitDemand()
            }
        } catch (e: CancellationException) {
            throw e
        } catch (e: Throwable) {
            // The consumer gets the failure; the scope does not fail.
            batches.end(e)
        }
    }

    /** Gives the stream to [export], and returns the flow's job. */
    fun export(export: (DeviceArrayStream) -> Unit): Job {
        try {
            export(this)
        } catch (e: Throwable) {
            close()
            throw e
        }
        return job
    }

    override fun getDeviceType(): Int = deviceType

    override fun getField(): Field = field

    override fun pull(): DeviceArray? {
        var array: DeviceArray? = null
        try {
            consumer.runUntil {
                job.start()
                array = batches.take()
                array != null || batches.isExhausted
            }
        } catch (e: InterruptedException) {
            Thread.currentThread().interrupt()
            throw CancellationException("get_next was interrupted").apply { initCause(e) }.also(job::cancel)
        }
        if (array == null) {
            batches.failure?.let { throw it }
        }
        return array
    }

    override fun closeSource() {
        job.cancel()
        batches.close()
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
