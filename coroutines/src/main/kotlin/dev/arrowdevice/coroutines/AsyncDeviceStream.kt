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

/** How long a producer may take to call `release` after its stream has ended or was cancelled, by default. */
public val DefaultReleaseTimeout: Duration = 10.seconds

/**
 * What a producer says about an async stream.
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
 * A batch of an async stream. It is borrowed, like its [batch].
 *
 * @property batch the values
 * @property metadata the producer's metadata of this batch
 * @property stream what the producer says about the stream
 */
public class AsyncBatch internal constructor(
    public val batch: RecordBatch,
    public val metadata: Metadata,
    public val stream: AsyncStreamInfo,
)

/**
 * A cold flow of the batches that a foreign producer sends to an `ArrowAsyncDeviceStreamHandler`. Each collection makes
 * a handler and calls [start], which passes the handler's address to a producer.
 *
 * Batches are borrowed: a batch is closed when `emit` returns; see [asFlow].
 *
 * **Back-pressure**: the flow requests [window] batches at first. Each time the collector is done with half of that
 * number, the flow requests as many again. So at most [window] tasks wait here, and not every batch wakes the producer.
 * `extract_data` of a task is called in the collector's coroutine, as the specification recommends for the work of a
 * task.
 *
 * **Cancellation**: if the collection is cancelled or fails, or an operator has enough batches, the producer is
 * cancelled. Tasks that wait, and tasks that still arrive, are discarded. `collect` returns when the producer has
 * called the handler's `release`, for which it has [releaseTimeout]. [start] itself is not cancelled, because then
 * nobody would know whether a producer has the handler. The specification allows no cancellation before the producer
 * has sent its schema: the schema is then refused when it arrives.
 *
 * **Threads**: the producer calls from any thread and is never blocked. The exception is a collector whose dispatcher
 * resumes in place, as `Unconfined` does: it runs within the producer's calls.
 *
 * **Failure**: an error that the producer reports is thrown after the batches that it sent before. If a task fails, the
 * flow waits up to [releaseTimeout] for the producer's `on_error`, which has the reason.
 *
 * @param window how many batches may be requested and not yet done, at least 1
 * @param releaseTimeout how long the producer may take to call `release` after it was cancelled or has ended; above 0
 * @param discard what is done with a task that nobody wants. By default its array is extracted and released. The
 * specification recommends NULL ("NULL should be passed as the device array pointer to indicate that the consumer
 * doesn't want the actual data"), but arrow-go ends the process at it. [AsyncDiscard.WITHOUT_ARRAY] passes NULL and
 * saves making the array; use it with producers that are known to expect NULL
 * @param start passes the handler to a producer and returns. Batches are taken only after it has returned, so a
 * producer that works in the thread that starts it, until its stream has ended, needs a thread of its own. If [start]
 * throws anything but a [CancellationException], no producer may have the handler
 * @throws ForeignException for an error that the producer reports, with its code, text and metadata
 * @throws IllegalStateException if the producer does not call `release` in time. It is thrown in place of a
 * [CancellationException] too, which nobody would see. The handler's memory then stays allocated, so that a late call
 * does no harm, and tasks that still arrive are discarded
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
        val half = (window + 1L) / 2
        var done = 0L
        var failure: Throwable? = null
        try {
            stream.startWith(start)
            for (task in consumer.tasks) {
                val batch = consumer.extract(task, releaseTimeout)
                emit(batch, task.metadata, consumer.info)
                done++
                if (done == half) {
                    stream.request(half)
                    done = 0
                }
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
        throw e // Such as a time-out in the block. A producer may have the handler nevertheless.
    } catch (e: Throwable) {
        releaseUnused()
        throw e
    }
}

/** Passes what the producer sends to the collector. */
private class AsyncConsumer(
    private val window: Int,
) : AsyncListener {
    /** Not bounded itself, because a producer's thread must not wait. The number of requested batches bounds it. */
    val tasks = Channel<AsyncTask>(Channel.UNLIMITED) { it.discard() }

    private val released = CompletableDeferred<Unit>()

    /** The error of a release without an end. It does not say why a task failed. */
    @Volatile
    private var cutShort: ForeignException? = null

    /** Set before the first task arrives. */
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
        // Has no effect after an end, a failure or a cancellation, one of which normally comes first.
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
                // on_error follows only "if a non-zero value is returned". Arrow C++ may return 0 and no array.
                throw if (e.errno == 0) e else reportedCause(e, timeout)
            }
        try {
            return RecordBatch.ofStruct(info.schema, array)
        } catch (e: Throwable) {
            array.close()
            throw e
        }
    }

    /**
     * The error that the producer reports for a failed task: "All error logging and handling [is] centralized in the
     * on_error callback".
     */
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

            // Operators and jobs drop a CancellationException silently, with all that is suppressed in it.
            is CancellationException -> throw late.apply { addSuppressed(failure) }

            else -> failure.addSuppressed(late)
        }
    }
}
