package dev.arrowdevice.ipc

import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.channels.ReadableByteChannel
import java.nio.file.Path

/**
 * Reads a stream of Arrow IPC from a channel, which moves to the reader. The schema is read at once, so this waits until it comes:
 * in a coroutine, call it where that may block. To cancel a flow of batches does not end a read that waits; to close the
 * channel does.
 *
 * <!-- given lateinit var channel: java.nio.channels.ReadableByteChannel -->
 * ```kotlin
 * import dev.arrowdevice.coroutines.asFlow
 * import dev.arrowdevice.ipc.arrowStream
 *
 * arrowStream(channel).asFlow().collect { batch -> println(batch) }
 * ```
 *
 * @throws ArrowIpcException if the bytes are no Arrow IPC stream
 */
public fun arrowStream(
    channel: ReadableByteChannel,
    options: IpcReadOptions = IpcReadOptions.defaults(),
): ArrowStreamReader = ArrowStreamReader.open(channel, options)

/** Reads a stream of Arrow IPC from a stream of bytes, which moves to the reader. The schema is read at once. */
public fun arrowStream(
    stream: InputStream,
    options: IpcReadOptions = IpcReadOptions.defaults(),
): ArrowStreamReader = ArrowStreamReader.open(stream, options)

/**
 * Reads a stream of Arrow IPC that is in memory, from the buffer's position to its limit. The batches of a direct buffer are
 * ranges of it; see [ArrowStreamReader.open].
 */
public fun arrowStream(
    bytes: ByteBuffer,
    options: IpcReadOptions = IpcReadOptions.defaults(),
): ArrowStreamReader = ArrowStreamReader.open(bytes, options)

/**
 * Maps a file of Arrow IPC, and reads its footer.
 *
 * <!-- given lateinit var path: java.nio.file.Path -->
 * ```kotlin
 * import dev.arrowdevice.ipc.arrowFile
 *
 * arrowFile(path).use { file ->
 *     file.batch(0).use { batch -> println(batch) }
 * }
 * ```
 *
 * @throws ArrowIpcException if it is no Arrow IPC file, or has no footer; then [ArrowFile.recover] may help
 */
public fun arrowFile(
    path: Path,
    options: IpcReadOptions = IpcReadOptions.defaults(),
): ArrowFile = ArrowFile.open(path, options)

/** The schema, and then each batch as it is written by [block]; then the end, if the block returns. */
public inline fun <R> ArrowStreamWriter.writing(block: (ArrowStreamWriter) -> R): R =
    use { writer -> block(writer).also { writer.finish() } }

/** Each batch as it is written by [block]; then the footer, if the block returns. */
public inline fun <R> ArrowFileWriter.writing(block: (ArrowFileWriter) -> R): R =
    use { writer -> block(writer).also { writer.finish() } }
