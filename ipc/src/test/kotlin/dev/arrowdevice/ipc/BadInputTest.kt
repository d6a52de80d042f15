package dev.arrowdevice.ipc

import com.google.flatbuffers.FlatBufferBuilder
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.arrow.flatbuf.Message
import org.apache.arrow.flatbuf.MessageHeader
import org.apache.arrow.flatbuf.MetadataVersion
import org.apache.arrow.flatbuf.Struct_
import java.nio.ByteBuffer
import java.nio.ByteOrder
import org.apache.arrow.flatbuf.Field as FlatField
import org.apache.arrow.flatbuf.Schema as FlatSchema

class BadInputTest :
    FunSpec({
        test("a stream that is cut off at any byte ends between two batches, or fails, and leaks nothing") {
            var cuts = 0
            ReleaseBalance.start().use {
                listOf(sample(), words("a", "b")).forEach { batch ->
                    val bytes = batch.use { streamOf(it, it) }
                    val ends = split(bytes).runningFold(0) { end, message -> end + message.size }.drop(1)
                    for (length in 0 until bytes.size) {
                        readers(bytes.copyOf(length), IpcReadOptions.defaults()).forEach { (name, open) ->
                            withClue(
                                "$name, $length of ${bytes.size} bytes",
                            ) { consume(open) shouldBe (length in ends) }
                            cuts++
                        }
                    }
                }
            }
            println("$cuts streams that were cut off")
        }

        test("a file that is cut off at any byte is refused") {
            withFile { path ->
                words("a", "b").use { write(path, listOf(it)) }
                val bytes =
                    java.nio.file.Files
                        .readAllBytes(path)
                for (length in 0 until bytes.size) {
                    java.nio.file.Files
                        .write(path, bytes.copyOf(length))
                    shouldThrow<ArrowIpcException> { arrowFile(path) }
                }
            }
        }

        test("lengths of metadata that can't be are refused before memory is taken") {
            listOf(-2, Int.MIN_VALUE, Int.MAX_VALUE, 1 shl 29).forEach { size ->
                refused(message(ByteArray(0), claimed = size)) shouldContain "metadata of the message"
            }
            refused(message(ByteArray(0), claimed = 1000)) shouldContain "end within the metadata"
            refused(ByteArray(100) { 7 }) shouldContain "metadata"
        }

        test("a schema of 2^31 fields, or of fields nested 10,000 deep, is refused") {
            val schema = schemaMessage(Schema.of(Field.nullable("a", ArrowType.INT8)))
            // The vector of fields begins with its length.
            listOf(Int.MAX_VALUE, Int.MIN_VALUE, -1).forEach { number ->
                everyInt(schema).forEach { at -> consume { arrowStream(ByteBuffer.wrap(schema.withInt(at, number))) } }
            }
            refused(message(manyFields(Int.MAX_VALUE))) shouldContain "fields"
            refused(message(nestedFields(10_000))) shouldContain "deeper than 64"
        }

        test("a schema that is itself marked as an extension type is refused, by a file too") {
            val schema =
                Schema(
                    listOf(Field.nullable("a", ArrowType.INT8)),
                    Metadata.of("ARROW:extension:name", "arrow.uuid"),
                )
            refused(schemaMessage(schema)) shouldContain "ARROW:extension:name"
            withFile { path ->
                java.nio.file.Files
                    .write(path, fileOfMessages(schema, ByteArray(0), LongArray(0)))
                shouldThrow<ArrowIpcException> { arrowFile(path) }.message shouldContain "ARROW:extension:name"
            }
        }

        test("metadata whose parts lead to each other, or to themselves, is refused or read, and not for ever") {
            val schema =
                schemaMessage(
                    Schema.of(Field.nullable("a", ArrowType.struct(listOf(Field.nullable("b", ArrowType.INT8))))),
                )
            for (at in everyInt(schema)) {
                for (target in everyInt(
                    schema,
                )) {
                    consume { arrowStream(ByteBuffer.wrap(schema.withInt(at, target - at))) }
                }
            }
        }

        test("buffers outside the body, negative, misaligned or overlapping are refused") {
            val schema = Schema.of(Field.nullable("a", ArrowType.INT64))

            fun batch(
                vararg buffers: Long,
                rows: Long = 1,
                body: Long = 64,
                variadic: LongArray = LongArray(0),
                nodes: LongArray = longArrayOf(rows, 0),
            ) = refused(schemaMessage(schema) + batchMessage(rows, nodes, buffers, variadic, body))
            batch(0, 0, 64, 8) shouldContain "8 bytes at offset 64 of a body of 64"
            batch(0, 0, 0, Long.MAX_VALUE) shouldContain "buffer 1"
            batch(0, 0, Long.MAX_VALUE, 8) shouldContain "buffer 1"
            batch(0, 0, -8, 8) shouldContain "offset -8"
            batch(0, 0, 8, -8) shouldContain "-8 bytes"
            batch(0, 0, 4, 8) shouldContain "multiple of 8"
            batch(0, 16, 8, 8) shouldContain "reaches to 16"
            batch(0, 0) shouldContain "fewer than the schema needs"
            batch(0, 0, 0, 8, 8, 8) shouldContain "3 buffers"
            batch(0, 0, 0, 8, rows = 2) shouldContain "16 are needed"
            batch(0, 0, 0, 8, rows = -1) shouldContain "-1 rows"
            batch(0, 0, 0, 8, nodes = longArrayOf(5, 0)) shouldContain "length 5 in a batch of 1 rows"
            batch(0, 0, 0, 8, nodes = longArrayOf(1, 2)) shouldContain "null count 2"
            batch(0, 0, 0, 8, nodes = longArrayOf(1, -1)) shouldContain "null count of -1"
            batch(0, 0, 0, 8, nodes = longArrayOf()) shouldContain "fewer than the schema needs"
            batch(0, 0, 0, 8, variadic = longArrayOf(1)) shouldContain "1 counts of data buffers"
            batch(0, 0, 0, 8, body = Long.MAX_VALUE) shouldContain "limit"
            batch(0, 0, 0, 8, body = 1L shl 40) shouldContain "withMaxBatchBytes"
        }

        test("variadic counts that don't fit are refused") {
            val schema = Schema.of(Field.nullable("a", ArrowType.UTF8_VIEW))
            listOf(
                longArrayOf(),
                longArrayOf(-1),
                longArrayOf(1),
                longArrayOf(Long.MAX_VALUE),
                longArrayOf(0, 0),
            ).forEach {
                val batch = batchMessage(1, longArrayOf(1, 0), longArrayOf(0, 0, 0, 16), it, 64)
                refused(schemaMessage(schema) + batch) shouldContain "buffers"
            }
        }

        test("sizes before compression that lie are refused before memory is taken") {
            val schema = Schema.of(Field.nullable("a", ArrowType.INT64))
            IpcCompression.entries.forEach { compression ->
                LIES.forEach { size ->
                    val body =
                        ByteBuffer
                            .allocate(64)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(0, size)
                            .array()
                    val places = longArrayOf(0, 0, 0, 32)
                    withClue("$compression of $size bytes") {
                        val nodes = longArrayOf(1, 0)
                        val batch = batchMessage(1, nodes, places, LongArray(0), 64, body, compression)
                        refused(schemaMessage(schema) + batch)
                    }
                }
            }
        }

        test("dictionaries that are missing, of another field or of another type are refused") {
            val messages = words("a").use { split(streamOf(it)) }
            refused(messages[0] + messages[2]) shouldContain "needs dictionary 0, which was not sent"
            refused(schemaMessage(Schema.of(Field.nullable("a", ArrowType.INT8))) + messages[1]) shouldContain
                "of no field"
            val numbers = dictionaryMessage(0, false, 1, longArrayOf(1, 0), longArrayOf(0, 0, 0, 1), ByteArray(8))
            refused(messages[0] + numbers + messages[2]) shouldContain "fewer than the schema needs"
            val delta = dictionaryMessage(0, true, 1, longArrayOf(1, 0), longArrayOf(0, 0, 0, 8, 8, 0), ByteArray(8))
            refused(messages[0] + delta) shouldContain "continued, and was not sent before"
        }

        test("a dictionary whose parts need little memory, and together more than the limit, is refused") {
            val type = ArrowType.dictionary(ArrowType.INT8, ArrowType.struct(listOf()))
            val long =
                dictionaryMessage(0, false, 1L shl 40, longArrayOf(1L shl 40, 0), longArrayOf(0, 0), ByteArray(0))
            val withNull = dictionaryMessage(0, true, 1, longArrayOf(1, 1), longArrayOf(0, 8), ByteArray(8))
            val batch = batchMessage(1, longArrayOf(1, 0), longArrayOf(0, 0, 0, 8), LongArray(0), 8)
            refused(schemaMessage(Schema.of(Field.nullable("d", type))) + long + withNull + batch) shouldContain
                "withMaxBatchBytes"
        }

        test("without validation, too, a read outside the buffers fails with an exception") {
            val schema = Schema.of(Field.nullable("s", ArrowType.UTF8))
            listOf(Int.MAX_VALUE, Int.MIN_VALUE, -1, 65).forEach { end ->
                val body =
                    ByteBuffer
                        .allocate(64)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(4, end)
                        .array()
                val places = longArrayOf(0, 0, 0, 8, 8, 8)
                val bytes = schemaMessage(schema) + batchMessage(1, longArrayOf(1, 0), places, LongArray(0), 64, body)
                val options = IpcReadOptions.defaults().withValidation(Validation.NONE)
                readers(bytes, options).forEach { (name, open) ->
                    withClue("$name, an offset of $end") {
                        open().use { reader ->
                            reader.nextBatch()!!.use { batch ->
                                shouldThrow<RuntimeException> { batch.column(0).getString(0) }
                            }
                        }
                    }
                }
            }
        }

        test("a schema in mid-stream, a batch before the schema and a tensor are refused by name") {
            val messages = split(sample().use { streamOf(it) })
            refused(messages[0] + messages[1] + messages[0]) shouldContain "second schema"
            refused(messages[1]) shouldContain "RecordBatch, not a schema"
            val builder = FlatBufferBuilder()
            Struct_.startStruct_(builder)
            val tensor = Struct_.endStruct_(builder)
            builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Tensor, tensor, 0, 0))
            refused(message(builder.sizedByteArray())) shouldContain "tensors are not supported"
        }

        test("a failure says where the message begins, and comes again at the next call") {
            val messages = split(sample().use { streamOf(it) })
            val bytes = messages[0] + messages[1] + messages[0]
            arrowStream(ByteBuffer.wrap(bytes)).use { reader ->
                reader.nextBatch()!!.close()
                val first = shouldThrow<ArrowIpcException> { reader.nextBatch() }
                first.position shouldBe messages[0].size + messages[1].size
                shouldThrow<ArrowIpcException> { reader.nextBatch() }.message shouldBe first.message
            }
        }

        test("a limit of the user holds for bodies, decompressed buffers and metadata") {
            sample().use { batch ->
                listOf(null, IpcCompression.ZSTD).forEach { compression ->
                    val bytes = streamOf(batch, options = IpcWriteOptions.defaults().withCompression(compression))
                    val options = IpcReadOptions.defaults().withMaxBatchBytes(40)
                    shouldThrow<ArrowIpcException> {
                        arrowStream(
                            ByteBuffer.wrap(bytes),
                            options,
                        ).use { it.nextBatch() }
                    }.message shouldContain "limit"
                }
                val options = IpcReadOptions.defaults().withMaxMetadataBytes(10)
                shouldThrow<ArrowIpcException> { arrowStream(ByteBuffer.wrap(streamOf(batch)), options) }
                    .message shouldContain "limit is 10"
            }
        }
    })

private val LIES = listOf(1L shl 50, Long.MAX_VALUE, Long.MIN_VALUE, -2, Int.MAX_VALUE.toLong() + 1, 8, 16)

/** Reads all of a stream, values too. Only our own exceptions may come. Returns whether it was read to the end. */
internal fun consume(open: () -> DeviceArrayStream): Boolean {
    try {
        open().use { reader ->
            while (true) {
                val batch = reader.nextBatch() ?: return true
                batch.use(::readValues)
            }
        }
    } catch (e: ArrowIpcException) {
        return false
    }
}

internal fun readValues(batch: RecordBatch) {
    if (isModest(batch.asStruct().data)) {
        for (i in 0 until batch.columnCount) valuesOf(batch.column(i))
    } else {
        batch.toTable(5, 20)
    }
}

/** Whether the values fit the heap: arrays of nulls, and runs, can be long without memory. */
private fun isModest(array: ArrayData): Boolean =
    array.length <= 10_000 &&
        (0 until array.childCount).all { isModest(array.child(it)) } &&
        array.dictionary?.let(::isModest) != false

/** The message with which a stream is refused. */
internal fun refused(bytes: ByteArray): String {
    var message = ""
    ReleaseBalance.start().use {
        Validation.entries.filter { it != Validation.NONE }.forEach { validation ->
            val options = IpcReadOptions.defaults().withValidation(validation)
            readers(bytes, options).forEach { (_, open) ->
                message =
                    shouldThrow<ArrowIpcException> {
                        open().use { reader -> generateSequence { reader.nextBatch() }.forEach { it.close() } }
                    }.message!!
            }
        }
    }
    return message
}

private fun nestedFields(depth: Int): ByteArray {
    val builder = FlatBufferBuilder()
    val name = builder.createString("")
    var field = 0
    repeat(depth) {
        val children = FlatField.createChildrenVector(builder, if (field == 0) IntArray(0) else intArrayOf(field))
        Struct_.startStruct_(builder)
        val type = Struct_.endStruct_(builder)
        field = FlatField.createField(builder, name, true, org.apache.arrow.flatbuf.Type.Struct_, type, 0, children, 0)
    }
    val schema = FlatSchema.createSchema(builder, 0, FlatSchema.createFieldsVector(builder, intArrayOf(field)), 0, 0)
    builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0))
    return builder.sizedByteArray()
}

/** A schema message whose vector of fields claims a length. */
private fun manyFields(count: Int): ByteArray {
    val builder = FlatBufferBuilder()
    val fields = FlatSchema.createFieldsVector(builder, IntArray(0))
    val schema = FlatSchema.createSchema(builder, 0, fields, 0, 0)
    builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0))
    val bytes = builder.sizedByteArray()
    // The vector was written first, so its length is the last of the bytes.
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.size - 4, count)
    return bytes
}

/** The places of the integers in the metadata of a message. */
private fun everyInt(message: ByteArray): IntProgression = 8..message.size - 4 step 4

private fun ByteArray.withInt(
    at: Int,
    value: Int,
): ByteArray = clone().also { ByteBuffer.wrap(it).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value) }
