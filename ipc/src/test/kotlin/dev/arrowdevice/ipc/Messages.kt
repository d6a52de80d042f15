package dev.arrowdevice.ipc

import com.google.flatbuffers.FlatBufferBuilder
import dev.arrowdevice.Metadata
import dev.arrowdevice.Schema
import dev.arrowdevice.ipc.internal.format.Longs
import dev.arrowdevice.ipc.internal.format.MessageEncoder
import dev.arrowdevice.ipc.internal.format.SchemaPlan
import org.apache.arrow.flatbuf.Message
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** A message as it lies in a stream. Its metadata has [claimed] bytes, if that is not the truth. */
internal fun message(
    metadata: ByteArray,
    body: ByteArray = ByteArray(0),
    claimed: Int? = null,
): ByteArray {
    val padded = metadata.copyOf((metadata.size + 7) / 8 * 8)
    val prefix =
        ByteBuffer
            .allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(-1)
            .putInt(claimed ?: padded.size)
    return prefix.array() + padded + body
}

internal fun schemaMessage(schema: Schema): ByteArray {
    val builder = FlatBufferBuilder()
    MessageEncoder.schema(builder, SchemaPlan.of(schema))
    return message(builder.sizedByteArray())
}

internal fun batchMessage(
    rows: Long,
    nodes: LongArray,
    places: LongArray,
    variadic: LongArray,
    bodySize: Long,
    body: ByteArray = ByteArray(bodySize.coerceAtMost(64).toInt()),
    compression: IpcCompression? = null,
): ByteArray {
    val builder = FlatBufferBuilder()
    val numbers = listOf(nodes, places, variadic).map { Longs.of(*it) }
    MessageEncoder.batch(builder, rows, numbers[0], numbers[1], numbers[2], compression, bodySize, Metadata.EMPTY)
    return message(builder.sizedByteArray(), body)
}

internal fun dictionaryMessage(
    id: Long,
    delta: Boolean,
    rows: Long,
    nodes: LongArray,
    places: LongArray,
    body: ByteArray,
): ByteArray {
    val builder = FlatBufferBuilder()
    val (arrays, buffers) = listOf(nodes, places).map { Longs.of(*it) }
    MessageEncoder.dictionary(builder, id, delta, rows, arrays, buffers, Longs(), null, body.size.toLong())
    return message(builder.sizedByteArray(), body)
}

/** A file of these messages, whose footer says that batches are at [batches] (offset, size of the metadata, size of the body). */
internal fun fileOfMessages(
    schema: Schema,
    messages: ByteArray,
    batches: LongArray,
    dictionaries: LongArray = LongArray(0),
): ByteArray {
    val builder = FlatBufferBuilder()
    MessageEncoder.footer(builder, SchemaPlan.of(schema), dictionaries, batches, Metadata.EMPTY)
    val footer = builder.sizedByteArray()
    val size =
        ByteBuffer
            .allocate(4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(footer.size)
            .array()
    return "ARROW1\u0000\u0000".toByteArray() + schemaMessage(schema) + messages + footer + size +
        "ARROW1".toByteArray()
}

/** The messages of a stream that we have written. */
internal fun split(bytes: ByteArray): List<ByteArray> {
    val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
    val messages = mutableListOf<ByteArray>()
    var at = 0
    while (buffer.getInt(at + 4) != 0) {
        val metadata = buffer.getInt(at + 4)
        val body = Message.getRootAsMessage(ByteBuffer.wrap(bytes, at + 8, metadata).slice()).bodyLength().toInt()
        messages += bytes.copyOfRange(at, at + 8 + metadata + body)
        at += 8 + metadata + body
    }
    return messages
}
