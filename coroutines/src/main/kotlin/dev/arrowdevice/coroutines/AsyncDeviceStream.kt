package dev.arrowdevice.coroutines

import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.AsyncDiscard
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncListener
import dev.arrowdevice.spi.AsyncTask
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import dev.arrowdevice.spi.Errno
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** How long a producer may take to call `release` after its stream has ended or was cancelled, if nothing else is said. */
public val DefaultReleaseTimeout: Duration = 10.seconds

/**
 * What an async stream says of itself.
 *
 * @property schema the schema of all batches
 * @property deviceType the code of the device type that all batches are on
 * @property metadata the producer's additional metadata
 */
public class AsyncStreamInfo internal constructor(
    public val schema: Schema,
    public val deviceType: Int,
    public val metadata: Metadata,
)

/**
 * A batch of an async stream, borrowed like its [batch].
 *
 * @property batch the values
 * @property metadata what the producer says of this batch
 * @property stream what it says of the stream
 */
public class AsyncBatch internal constructor(
    public val batch: RecordBatch,
    public val metadata: Metadata,
    public val stream: AsyncStreamInfo,
)

/**
 * The batches that a foreign producer sends to an `ArrowAsyncDeviceStreamHandler`, as a cold flow: each collection makes
 * a handler and calls [start] with it, which hands its address to a producer.
 *
 * Elements are borrowed: a batch is closed when `emit` returns; see [asFlow].
 *
 * **Back-pressure**: [window] batches are requested at first, and one more each time the collector is done with one. So
 * at most [window] tasks wait here. A task's `extract_data` runs in the collector's coroutine, which is where the
 * interface wants the work to be done.
 *
 * **Cancellation**, and also a failure downstream or an operator that has enough: the producer is cancelled, tasks that
 * wait or still come are discarded, and `collect` returns when the producer has called the handler's `release`, which
 * it is given [releaseTimeout] for. [start] itself is not cancelled: nobody would know whether a producer has the
 * handler. A producer that has not sent its schema yet can't be told of a cancellation, says the interface; its schema is
 * refused when it comes.
 *
 * **Threads**: the producer calls from any thread and is never blocked, unless the collector's dispatcher goes on in place,
 * as `Unconfined` does: then it runs within the producer's calls.
 *
 * **Failure**: what the producer reports comes after the batches that it sent before. If a task fails, its `on_error` is
 * awaited for [releaseTimeout] at most, since that says why.
 *
 * @param window how many batches may be under way, at least 1
 * @param releaseTimeout how long the producer may take to call `release`, once it was cancelled or has ended; above 0
 * @param discard how tasks are given back that nobody wants. By default they are extracted and the array is released:
 * arrow-go ends the process at the NULL that the specification recommends ("NULL should be passed as the device array
 * pointer to indicate that the consumer doesn't want the actual data"). [AsyncDiscard.WITHOUT_ARRAY] passes it, to
 * producers that are known to expect it, and saves making the array
 * @param start hands the handler to a producer and returns: batches are taken from then on, so that a producer which works
 * in the thread that starts it, until its stream has ended, must be given another one; if it throws (other than a [CancellationException]), no producer may
 * have the handler
 * @throws ForeignException what the producer reports, its code, text and metadata kept
 * @throws IllegalStateException if the producer does not call `release` in time, also in place of a
 * [CancellationException], which would tell nobody. The handler's memory then stays allocated, so that a late call does no
 * harm, and what still comes is discarded
 */
public fun asyncDeviceStream(
    window: Int = 2,
    releaseTimeout: Duration = DefaultReleaseTimeout,
    validation: Validation = Validation.STRUCTURE,
    discard: AsyncDiscard = AsyncDiscard.WITH_ARRAY,
    start: suspend (handler: CAsyncDeviceStreamHandlerStruct) -> Unit,
): Flow<RecordBatch> =
    asyncFlow(window, releaseTimeout, validation, discard, start) { batch, _, _ ->
        emitBatch(batch)
    }

/** [asyncDeviceStream] with the metadata of stream and batches. */
public fun asyncDeviceBatches(
    window: Int = 2,
    releaseTimeout: Duration = DefaultReleaseTimeout,
    validation: Validation = Validation.STRUCTURE,
    discard: AsyncDiscard = AsyncDiscard.WITH_ARRAY,
    start: suspend (handler: CAsyncDeviceStreamHandlerStruct) -> Unit,
): Flow<AsyncBatch> =
    asyncFlow(window, releaseTimeout, validation, discard, start) { batch, metadata, info ->
        lend(batch) { emit(AsyncBatch(batch, metadata, info)) }
    }

private fun <T> asyncFlow(
    window: Int,
    releaseTimeout: Duration,
    validation: Validation,
    discard: AsyncDiscard,
    start: suspend (CAsyncDeviceStreamHandlerStruct) -> Unit,
    emit: suspend FlowCollector<T>.(RecordBatch, Metadata, AsyncStreamInfo) -> Unit,
): Flow<T> {
    require(window >= 1) { "window is $window" }
    require(releaseTimeout.isPositive()) { "releaseTimeout is $releaseTimeout" }
    return flow {
        val consumer = AsyncConsumer(window)
        val stream = AsyncImport.create(consumer, validation, discard)
        var failure: Throwable? = null
        try {
            stream.startWith(start)
            for (task in consumer.tasks) {
                val batch = consumer.extract(task, releaseTimeout)
                emit(batch, task.metadata, consumer.info)
                stream.request(1)
            }
        } catch (e: Throwable) {
            failure = e
            throw e
        } finally {
            stream.cancel()
            consumer.tasks.cancel()
            withContext(NonCancellable) { consumer.awaitRelease(releaseTimeout, failure) }
        }
    }
}

private suspend fun AsyncImport.startWith(start: suspend (CAsyncDeviceStreamHandlerStruct) -> Unit) {
    try {
        withContext(NonCancellable) { start(handler) }
    } catch (e: CancellationException) {
        throw e // A time-out within, for instance: a producer may have the handler all the same.
    } catch (e: Throwable) {
        releaseUnused()
        throw e
    }
}

/** Carries what the producer says over to the collector. */
private class AsyncConsumer(
    private val window: Int,
) : AsyncListener {
    /** Not bounded, for it is bounded by the demand; a producer's thread must not wait. */
    val tasks = Channel<AsyncTask>(Channel.UNLIMITED) { it.discard() }

    private val released = CompletableDeferred<Unit>()

    /** What we say of a release without an end, which explains nothing. */
    @Volatile
    private var cutShort: ForeignException? = null

    /** Known before the first task. */
    @Volatile
    lateinit var info: AsyncStreamInfo
        private set

    override fun onSchema(
        stream: AsyncImport,
        field: Field,
        deviceType: Int,
        metadata: Metadata,
    ) {
        info = AsyncStreamInfo(Schema.fromStruct(field), deviceType, metadata)
        stream.request(window.toLong())
    }

    override fun onTask(task: AsyncTask) {
        if (tasks.trySend(task).isFailure) task.discard()
    }

    override fun onEnd() {
        tasks.close()
    }

    override fun onError(failure: RuntimeException) {
        tasks.close(failure)
    }

    override fun onRelease() {
        val early = ForeignException("release", Errno.ECANCELED, "the producer released the stream before its end")
        cutShort = early
        // Without effect where the stream has ended, failed or been cancelled before, as it should.
        tasks.close(early)
        released.complete(Unit)
    }

    suspend fun extract(
        task: AsyncTask,
        timeout: Duration,
    ): RecordBatch {
        val array =
            try {
                task.extract()
            } catch (e: ForeignException) {
                // Only "if a non-zero value is returned" does on_error follow; Arrow C++ gives 0 and no array.
                throw if (e.errno == 0) e else reportedCause(e, timeout)
            }
        try {
            return RecordBatch.ofStruct(info.schema, array)
        } catch (e: Throwable) {
            array.close()
            throw e
        }
    }

    /** "All error logging and handling [is] centralized in the on_error callback": it says why the task failed. */
    private suspend fun reportedCause(
        failure: ForeignException,
        timeout: Duration,
    ): Throwable =
        withTimeoutOrNull(timeout) {
            var reported: Throwable? = null
            try {
                for (later in tasks) later.discard()
            } catch (e: ForeignException) {
                reported = e.takeIf { it !== cutShort }
            }
            reported
        }?.apply { addSuppressed(failure) } ?: failure

    suspend fun awaitRelease(
        timeout: Duration,
        failure: Throwable?,
    ) {
        if (withTimeoutOrNull(timeout) { released.await() } != null) return
        val late = IllegalStateException("the producer has not called release within $timeout after the stream's end")
        when (failure) {
            null -> throw late

            // Operators and jobs drop it silently, and with it what is suppressed in it.
            is CancellationException -> throw late.apply { addSuppressed(failure) }

            else -> failure.addSuppressed(late)
        }
    }
}
