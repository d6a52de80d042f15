package dev.arrowdevice.ipc

import com.google.flatbuffers.FlatBufferBuilder
import dev.arrowdevice.Schema
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.string.shouldContain
import org.apache.arrow.flatbuf.Footer
import org.apache.arrow.flatbuf.KeyValue
import org.apache.arrow.flatbuf.Message
import org.apache.arrow.flatbuf.MessageHeader
import org.apache.arrow.flatbuf.MetadataVersion
import org.apache.arrow.flatbuf.RecordBatch
import org.apache.arrow.flatbuf.Timestamp
import org.apache.arrow.flatbuf.Type
import java.nio.ByteBuffer
import java.nio.ByteOrder
import kotlin.io.path.writeBytes
import org.apache.arrow.flatbuf.Field as FlatField
import org.apache.arrow.flatbuf.Schema as FlatSchema

/** Small messages whose parts all lead to one long text, which would be copied for each of them. */
class TextBombTest :
    FunSpec({
        test("time zones and names are refused when they have far more bytes than the message") {
            listOf(zones(), names()).forEach { bomb ->
                bomb.size shouldBeLessThan 100_000
                refused(message(bomb)) shouldContain "again and again"
            }
        }

        test("metadata of a batch is refused when it has far more bytes than the message") {
            val bytes = schemaMessage(Schema.of()) + message(pairs())
            bytes.size shouldBeLessThan 100_000
            refused(bytes) shouldContain "again and again"
        }

        test("metadata of a footer, together with its schema, is refused when it has far more bytes than the footer") {
            withFile { path ->
                path.writeBytes("ARROW1\u0000\u0000".toByteArray() + schemaMessage(Schema.of()) + trailer(footer()))
                shouldThrow<ArrowIpcException> { arrowFile(path) }.message shouldContain "again and again"
            }
        }
    })

private const val COPIES = 2000
private val LONG = "A".repeat(1 shl 16)

private fun FlatBufferBuilder.schema(field: Int): Int {
    val fields = FlatSchema.createFieldsVector(this, IntArray(COPIES) { field })
    return FlatSchema.createSchema(this, 0, fields, 0, 0)
}

private fun FlatBufferBuilder.message(
    kind: Byte,
    header: Int,
    metadata: Int = 0,
): ByteArray {
    finish(Message.createMessage(this, MetadataVersion.V5, kind, header, 0, metadata))
    return sizedByteArray()
}

private fun zones(): ByteArray =
    FlatBufferBuilder().run {
        val type = Timestamp.createTimestamp(this, 0, createString(LONG))
        val children = FlatField.createChildrenVector(this, IntArray(0))
        val field = FlatField.createField(this, createString("t"), true, Type.Timestamp, type, 0, children, 0)
        message(MessageHeader.Schema, schema(field))
    }

private fun names(): ByteArray =
    FlatBufferBuilder().run {
        val children = FlatField.createChildrenVector(this, IntArray(0))
        org.apache.arrow.flatbuf.Bool
            .startBool(this)
        val type =
            org.apache.arrow.flatbuf.Bool
                .endBool(this)
        val field = FlatField.createField(this, createString(LONG), true, Type.Bool, type, 0, children, 0)
        message(MessageHeader.Schema, schema(field))
    }

private fun FlatBufferBuilder.pairVector(): Int {
    val pair = KeyValue.createKeyValue(this, createString("k"), createString(LONG))
    return Message.createCustomMetadataVector(this, IntArray(COPIES) { pair })
}

private fun pairs(): ByteArray =
    FlatBufferBuilder().run {
        val metadata = pairVector()
        RecordBatch.startNodesVector(this, 0)
        val nodes = endVector()
        RecordBatch.startBuffersVector(this, 0)
        val buffers = endVector()
        message(MessageHeader.RecordBatch, RecordBatch.createRecordBatch(this, 0, nodes, buffers, 0, 0), metadata)
    }

private fun footer(): ByteArray =
    FlatBufferBuilder().run {
        val metadata = pairVector()
        val schema = FlatSchema.createSchema(this, 0, FlatSchema.createFieldsVector(this, IntArray(0)), 0, 0)
        finish(Footer.createFooter(this, MetadataVersion.V5, schema, 0, 0, metadata))
        sizedByteArray()
    }

private fun trailer(footer: ByteArray): ByteArray =
    footer +
        ByteBuffer
            .allocate(4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(footer.size)
            .array() + "ARROW1".toByteArray()
