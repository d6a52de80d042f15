package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** Footers that lie. What is wrong within a message, [BadInputTest] shows. */
class BadFileTest :
    FunSpec({
        val schema = Schema.of(Field.nullable("a", ArrowType.INT64))
        val batch = batchMessage(1, longArrayOf(1, 0), longArrayOf(0, 0, 0, 8), LongArray(0), 64)
        val metadata = batch.size - 64L
        val at = 8L + schemaMessage(schema).size
        val end = at + batch.size

        fun refused(
            bytes: ByteArray,
            batchOf: (ArrowFile) -> Unit = {},
        ): ArrowIpcException =
            ReleaseBalance.start().use {
                val buffer = DeviceBuffer.ofByteBuffer(direct(bytes)) {}
                shouldThrow<ArrowIpcException> { ArrowFile.open(buffer, IpcReadOptions.defaults()).use(batchOf) }
            }

        test("the file without a lie is read") {
            ReleaseBalance.start().use {
                val buffer =
                    DeviceBuffer.ofByteBuffer(
                        direct(fileOfMessages(schema, batch, longArrayOf(at, metadata, 64))),
                    ) {}
                ArrowFile.open(buffer, IpcReadOptions.defaults()).use { file ->
                    file.batch(0).use {
                        it.rowCount shouldBe
                            1
                    }
                }
            }
        }

        test(
            "places of messages that are negative, misaligned, of 2^63 or outside the file are refused when it is opened",
        ) {
            listOf(
                longArrayOf(-8, metadata, 64),
                longArrayOf(0, metadata, 64),
                longArrayOf(at + 4, metadata, 64),
                longArrayOf(Long.MAX_VALUE, metadata, 64),
                longArrayOf(Long.MIN_VALUE, metadata, 64),
                longArrayOf(at, 0, 64),
                longArrayOf(at, -1, 64),
                longArrayOf(at, Int.MAX_VALUE.toLong(), 64),
                longArrayOf(at, metadata, -1),
                longArrayOf(at, metadata, 72),
                longArrayOf(at, metadata, Long.MAX_VALUE),
                longArrayOf(end, metadata, 64),
            ).forEach { place ->
                withClue("offset, metadata and body: ${place.toList()}") {
                    val failure = refused(fileOfMessages(schema, batch, place))
                    failure.problem shouldContain "message 0 is said to lie at"
                    failure.position shouldBe end
                    refused(fileOfMessages(schema, batch, LongArray(0), dictionaries = place)).problem shouldContain
                        "said to lie at"
                }
            }
        }

        test("places where another message is, or none, are refused when the batch is read") {
            val twice = batch + batch
            listOf(
                longArrayOf(8, at - 8, 0), // The schema.
                longArrayOf(at + 8, metadata, 64), // Within a message.
                longArrayOf(at, metadata, 56), // Not all of the body.
            ).forEach { place ->
                withClue("offset, metadata and body: ${place.toList()}") {
                    refused(fileOfMessages(schema, twice, place)) { it.batch(0) }.position shouldBe place[0]
                }
            }
        }

        test("a footer whose size can't be is refused by the size") {
            val bytes = fileOfMessages(schema, batch, longArrayOf(at, metadata, 64))
            listOf(0, -1, Int.MIN_VALUE, Int.MAX_VALUE, bytes.size, 1 shl 29).forEach { size ->
                val damaged =
                    bytes.clone().also {
                        ByteBuffer.wrap(it).order(ByteOrder.LITTLE_ENDIAN).putInt(it.size - 10, size)
                    }
                refused(damaged).message shouldContain "footer is said to have $size bytes"
            }
        }
    })
