@file:OptIn(InternalArrowApi::class)

package dev.arrowdevice.ipc

import dev.arrowdevice.InternalArrowApi
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.coroutines.StreamDispatcher
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.coroutines.collectLent
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext
import java.io.OutputStream
import java.nio.channels.Channels
import java.nio.channels.SelectableChannel
import java.nio.channels.WritableByteChannel
import java.nio.file.Path
import kotlin.coroutines.CoroutineContext

/**
 * How far writing has come.
 *
 * @property bytes the bytes that were written so far
 * @property batches the batches that were written so far
 */
public data class IpcProgress(
    public val bytes: Long,
    public val batches: Long,
)

/**
 * Writes the batches of this flow to a channel as a stream of Arrow IPC, and returns when the end-of-stream marker is written.
 * The channel remains the caller's, and open.
 *
 * A batch is borrowed from the flow, as everywhere, and written before the flow goes on: a channel that blocks holds the flow
 * back. If the flow fails, or the caller is cancelled, what was written is a valid beginning of a stream, up to the last batch
 * that was begun, without the marker. A call of the channel that blocks is waited for: cancellation does not end it, and to close
 * the channel does; `docs/ipc.md` has the lines.
 *
 * @param schema the schema of all batches; by default that of the first one, and a flow without batches fails
 * @param context where the channel is called, by default [StreamDispatcher]
 * @param onProgress is called after each batch, where the flow is collected
 * @throws IllegalArgumentException for a batch of another schema, or a type that the format can't express
 * @throws java.io.UncheckedIOException if the channel fails
 */
public suspend fun Flow<RecordBatch>.writeArrow(
    channel: WritableByteChannel,
    schema: Schema? = null,
    options: IpcWriteOptions = IpcWriteOptions.defaults(),
    context: CoroutineContext = StreamDispatcher,
    onProgress: (IpcProgress) -> Unit = {},
): IpcProgress {
    require((channel as? SelectableChannel)?.isBlocking != false) {
        "the channel does not block; configureBlocking(true) makes it"
    }
    return writeTo(schema, context, onProgress) { first ->
        StreamTarget(ArrowStreamWriter.open(Lent(channel), first, options))
    }
}

/** Writes the batches of this flow to a stream of bytes, which remains the caller's, and open. See the other form. */
public suspend fun Flow<RecordBatch>.writeArrow(
    stream: OutputStream,
    schema: Schema? = null,
    options: IpcWriteOptions = IpcWriteOptions.defaults(),
    context: CoroutineContext = StreamDispatcher,
    onProgress: (IpcProgress) -> Unit = {},
): IpcProgress = writeArrow(Channels.newChannel(stream), schema, options, context, onProgress)

/**
 * Writes the batches of this flow to a file of Arrow IPC, which is created or replaced, and returns when the footer is written.
 * It must not be the file that the batches come from, which is mapped.
 * If the flow fails, or the caller is cancelled, the file has no footer, and [ArrowFile.recover] reads the batches that were
 * written. Otherwise as [writeArrow].
 */
public suspend fun Flow<RecordBatch>.writeArrowFile(
    path: Path,
    schema: Schema? = null,
    options: IpcWriteOptions = IpcWriteOptions.defaults(),
    context: CoroutineContext = StreamDispatcher,
    onProgress: (IpcProgress) -> Unit = {},
): IpcProgress =
    writeTo(schema, context, onProgress) { first -> FileTarget(ArrowFileWriter.open(path, first, options)) }

/**
 * All batches of this file in their order, as a flow, which can be collected any number of times. The file must stay open
 * meanwhile. Batches are borrowed, and [context] and [prefetch] are those of [asFlow].
 */
public fun ArrowFile.batches(
    context: CoroutineContext = StreamDispatcher,
    prefetch: Int = 0,
): Flow<RecordBatch> = flow { emitAll(stream().asFlow(context, prefetch)) }

private suspend fun Flow<RecordBatch>.writeTo(
    schema: Schema?,
    context: CoroutineContext,
    onProgress: (IpcProgress) -> Unit,
    open: (Schema) -> Target,
): IpcProgress {
    // withContext loses its result if the caller is cancelled meanwhile, so a variable keeps the writer.
    var target: Target? = null
    try {
        if (schema != null) {
            withContext(context) { target = open(schema) }
        }
        collectLent { batch ->
            withContext(context) {
                val here = target ?: open(batch.schema).also { target = it }
                here.write(batch)
            }
            target?.let { onProgress(it.progress()) }
        }
        val written = requireNotNull(target) { NO_SCHEMA }
        withContext(context) { written.finish() }
        return written.progress()
    } finally {
        target?.close()
    }
}

/** A writer of a stream or a file. */
private interface Target : AutoCloseable {
    fun write(batch: RecordBatch)

    fun finish()

    fun progress(): IpcProgress
}

private class StreamTarget(
    private val writer: ArrowStreamWriter,
) : Target,
    AutoCloseable by writer {
    override fun write(batch: RecordBatch) = writer.write(batch)

    override fun finish() = writer.finish()

    override fun progress() = IpcProgress(writer.bytesWritten, writer.batchesWritten)
}

private class FileTarget(
    private val writer: ArrowFileWriter,
) : Target,
    AutoCloseable by writer {
    override fun write(batch: RecordBatch) = writer.write(batch)

    override fun finish() = writer.finish()

    override fun progress() = IpcProgress(writer.bytesWritten, writer.batchesWritten)
}

/** A channel that a writer does not close. */
private class Lent(
    private val channel: WritableByteChannel,
) : WritableByteChannel by channel {
    override fun close() = Unit
}

private const val NO_SCHEMA = "a flow without batches has no schema: pass one, and an empty stream is written"
