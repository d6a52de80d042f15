package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayOutputStream

class WriterTest :
    FunSpec({
        test("a writer keeps the dictionary of a batch to compare with, and not its other columns") {
            ReleaseBalance.start().use {
                listOf<(Schema) -> AutoCloseable>(
                    { ArrowStreamWriter.open(ByteArrayOutputStream(), it) },
                    {
                        ArrowFileWriter.open(
                            java.nio.channels.Channels
                                .newChannel(ByteArrayOutputStream()),
                            it,
                            IpcWriteOptions.defaults(),
                        )
                    },
                ).forEach { open ->
                    val batch = largeWithWords()
                    open(batch.schema).use { writer ->
                        val before = ArrowCounters.now().hostBytes()
                        (writer as? ArrowStreamWriter)?.write(batch)
                        (writer as? ArrowFileWriter)?.write(batch)
                        batch.close()
                        // What is left is a copy of two words.
                        (ArrowCounters.now().hostBytes() - before) shouldBeLessThan -LARGE.toLong() * 8 + 4096
                    }
                }
            }
        }

        test("bits behind the end of a slice are zero: they are of other rows") {
            val flags =
                recordBatch {
                    column<Boolean>("b") { addAll(List(8) { true }) }
                    column<Long>("n") {
                        add(1)
                        addNull()
                        repeat(6) { add(2) }
                    }
                }
            flags.use { batch ->
                batch.slice(0, 3).use { slice ->
                    // Alignment 8, so the body ends with: validity of n (8 bytes), n (24 bytes), of b first its values.
                    val bytes = streamOf(slice, options = IpcWriteOptions.defaults().withAlignment(8))
                    val body = bytes.copyOfRange(bytes.size - 8 - 40, bytes.size - 8)
                    body[0] shouldBe 0b111
                    body[8] shouldBe 0b101
                }
            }
        }

        test("a batch with another field is refused by the name of the field, and of what differs") {
            fun refusal(
                theirs: Field,
                ours: Field,
            ): String {
                val first = Field.nullable("first", ArrowType.UTF8)
                recordBatchOfNulls(Schema.of(first, theirs)).use { batch ->
                    ArrowStreamWriter.open(ByteArrayOutputStream(), Schema.of(first, ours)).use { writer ->
                        return shouldThrow<IllegalArgumentException> { writer.write(batch) }.message!!
                    }
                }
            }
            val number = Field.nullable("n", ArrowType.INT64)
            val marked = number.withMetadata(Metadata.of("unit", "km"))
            refusal(marked, number).let {
                it shouldContain "field 1, \"n\", has the metadata"
                it shouldContain "km"
            }
            refusal(number, number.withName("m")) shouldContain "field 1, \"m\", is named \"n\" in the batch"
            refusal(number, number.withType(ArrowType.INT32)) shouldContain "has type int64 in the batch and int32"
            refusal(
                Field.nullable("s", ArrowType.struct(listOf(marked))),
                Field.nullable("s", ArrowType.struct(listOf(number))),
            ) shouldContain "field 1, \"s\" > field 0, \"n\", has the metadata"
        }

        test("a batch that is refused by its values, before anything is written, leaves the writer as it was") {
            ReleaseBalance.start().use {
                withFile { path ->
                    words("a", "b").use { first ->
                        words("b", "a").use { second ->
                            ArrowFileWriter.open(path, first.schema).use { writer ->
                                writer.write(first)
                                withIndex(second, 7).use { bad ->
                                    shouldThrow<IllegalArgumentException> { writer.write(bad) }.message shouldContain
                                        "index 7 of a dictionary of 2 values"
                                }
                                writer.write(second)
                                writer.finish()
                            }
                            arrowFile(path).use { file ->
                                file.batchCount shouldBe 2
                                file.batch(1).use { it.valuesEqual(second) shouldBe true }
                            }
                        }
                    }
                }
            }
        }

        test("a closed batch is refused by the name of the method that was called") {
            val batch = sample()
            ArrowStreamWriter.open(ByteArrayOutputStream(), batch.schema).use { writer ->
                batch.close()
                shouldThrow<IllegalStateException> { writer.write(batch) }.message shouldBe
                    "write: the batch has been closed"
            }
        }
    })

private const val LARGE = 1 shl 17

private fun largeWithWords(): RecordBatch =
    recordBatch {
        column<String>("word", ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8)) {
            repeat(LARGE) { add(if (it % 2 == 0) "even" else "odd") }
        }
        column<Long>("n") { addAll(0L until LARGE) }
    }

private fun recordBatchOfNulls(schema: Schema): RecordBatch =
    dev.arrowdevice.builder.RecordBatchBuilder
        .of(schema)
        .use { it.finish() }

/** The batch with indices of which the first is another one. */
private fun withIndex(
    batch: RecordBatch,
    index: Int,
): RecordBatch {
    val data = batch.column(0).data
    val rows = data.length
    val buffer =
        dev.arrowdevice.spi.CpuRuntime.INSTANCE
            .allocate(rows * 4)
    buffer.memory().fill(0, rows * 4, 0)
    buffer.memory().putInt(0, index)
    val column =
        ArrayData(data.type, Device.CPU, rows, 0, 0, arrayOf(null, buffer), arrayOf(), data.dictionary)
    val struct =
        ArrayData(
            ArrowType.struct(batch.schema.fields()),
            Device.CPU,
            rows,
            0,
            0,
            arrayOf(null),
            arrayOf(column),
            null,
        )
    return RecordBatch.ofStruct(batch.schema, OwnedArrays.of(struct, buffer.owner))
}
