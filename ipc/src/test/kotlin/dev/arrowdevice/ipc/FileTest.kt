package dev.arrowdevice.ipc

import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.checkAll
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.Executors
import kotlin.io.path.deleteExisting
import kotlin.io.path.fileSize
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

class FileTest :
    FunSpec({
        test("batches of a mapped file are read in any order, and outlive the file object") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val batches = List(4) { numbers(it) }
                    write(path, batches)
                    val file = arrowFile(path)
                    val kept =
                        file.use {
                            it.batchCount shouldBe 4
                            it.schema shouldBe batches[0].schema
                            it.rowCount(3) shouldBe 100
                            listOf(3, 0, 2, 1).associateWith(it::batch)
                        }
                    kept.forEach { (i, batch) -> batch.use { it.valuesEqual(batches[i]) shouldBe true } }
                    shouldThrow<IllegalStateException> { file.batch(0) }
                    batches.forEach(RecordBatch::close)
                }
            }
        }

        test("a batch of a mapped file is the memory of the file, aligned to 64 bytes") {
            ReleaseBalance.start().use {
                withFile { path ->
                    numbers(1).use { write(path, listOf(it)) }
                    val before =
                        dev.arrowdevice.ArrowCounters
                            .now()
                            .hostBytes()
                    arrowFile(path).use { file ->
                        file.batch(0).use { batch ->
                            val values = batch.column(0).data.buffer(1)!!
                            // Before Java 22 memory has no address.
                            if (Runtime.version().feature() >= 22) values.address % 64 shouldBe 0
                            dev.arrowdevice.ArrowCounters
                                .now()
                                .hostBytes() shouldBe before
                        }
                    }
                }
            }
        }

        test("a random batch, whole and in slices, comes back from a file") {
            val full = IpcReadOptions.defaults().withValidation(Validation.FULL)
            ReleaseBalance.start().use {
                withFile { path ->
                    checkAll(iterations("ipc", 150), BatchShape.arb()) { shape ->
                        if (shape.schema.fields().all { isWritable(it.type()) }) {
                            val made = shape.build()
                            made.batch.use { batch ->
                                val from = batch.rowCount / 3
                                batch.slice(from, batch.rowCount - from).use { slice ->
                                    write(path, listOf(batch, slice))
                                    val expected = listOf(made.values, made.cut(from, batch.rowCount - from))
                                    arrowFile(path, full).use { file ->
                                        file.schema shouldBe batch.schema
                                        expected.forEachIndexed { i, values ->
                                            file.batch(i).use { read ->
                                                values.forEachIndexed { c, column ->
                                                    withClue("batch $i, column $c: ${read.column(c).type}") {
                                                        valuesOf(read.column(c)) shouldBe column
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }

        test("a file without a footer is named, and its whole batches are recovered at every length") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val batches = List(3) { numbers(it) }
                    write(path, batches, finish = false)
                    val bytes = path.readBytes()
                    arrowFile(path, whole(path, batches)).use { it.batchCount shouldBe 3 }
                    path.writeBytes(bytes)
                    shouldThrow<ArrowIpcException> { arrowFile(path) }.message shouldContain "recover"
                    var found = 0
                    for (length in 0..bytes.size) {
                        path.writeBytes(bytes.copyOf(length))
                        try {
                            ArrowFile.recover(path).use { file ->
                                (file.batchCount >= found) shouldBe true
                                found = file.batchCount
                                repeat(file.batchCount) { i ->
                                    file.batch(i).use { it.valuesEqual(batches[i]) shouldBe true }
                                }
                            }
                        } catch (e: ArrowIpcException) {
                            found shouldBe 0
                        }
                    }
                    found shouldBe 3
                    batches.forEach(RecordBatch::close)
                }
            }
        }

        test("many threads read batches of one file, dictionaries too") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val batches = List(8) { words("word $it", "all", "word ${it + 1}") }
                    write(path, batches)
                    val threads = Executors.newFixedThreadPool(4)
                    try {
                        arrowFile(path).use { file ->
                            (0 until 64)
                                .map { i ->
                                    threads.submit<Boolean> {
                                        file.batch(i % 8).use { it.valuesEqual(batches[i % 8]) }
                                    }
                                }.forEach { it.get() shouldBe true }
                        }
                    } finally {
                        threads.shutdown()
                    }
                    batches.forEach(RecordBatch::close)
                }
            }
        }

        test("metadata of the schema, of batches and of the footer come back apart from each other") {
            withFile { path ->
                val options = IpcWriteOptions.defaults().withFileMetadata(Metadata.of("of", "footer"))
                numbers(0).use { batch ->
                    ArrowFileWriter
                        .open(path, batch.schema.withMetadata(Metadata.of("of", "schema")), options)
                        .writing { it.write(batch, Metadata.of("of", "batch")) }
                }
                arrowFile(path).use { file ->
                    file.metadata["of"] shouldBe "footer"
                    file.schema.metadata()["of"] shouldBe "schema"
                    file.batchMetadata(0)["of"] shouldBe "batch"
                }
            }
        }

        test("a file in memory is read without a copy") {
            ReleaseBalance.start().use {
                withFile { path ->
                    numbers(0).use { batch ->
                        write(path, listOf(batch))
                        val bytes = DeviceBuffer.ofByteBuffer(direct(path.readBytes())) {}
                        ArrowFile.open(bytes, IpcReadOptions.defaults()).use { file ->
                            file.batch(0).use { it.valuesEqual(batch) shouldBe true }
                        }
                    }
                }
            }
        }

        test("what is no Arrow file is named") {
            withFile { path ->
                listOf(
                    "FEA1 and more of it" to "Feather",
                    "PAR1 and more of it" to "Parquet",
                    "hello" to "it begins with \"hello\"",
                    "" to "ARROW1",
                ).forEach { (content, word) ->
                    path.writeBytes(content.toByteArray())
                    shouldThrow<ArrowIpcException> { arrowFile(path) }.message shouldContain word
                    shouldThrow<ArrowIpcException> { ArrowFile.recover(path) }.message shouldContain word
                }
                numbers(0).use { path.writeBytes(streamOf(it)) }
                shouldThrow<ArrowIpcException> { arrowFile(path) }.message shouldContain "ArrowStreamReader"
            }
        }
    })

internal inline fun withFile(block: (Path) -> Unit) {
    val path = Files.createTempFile("ipc", ".arrow")
    try {
        block(path)
    } finally {
        path.deleteExisting()
    }
}

internal fun write(
    path: Path,
    batches: List<RecordBatch>,
    options: IpcWriteOptions = IpcWriteOptions.defaults(),
    finish: Boolean = true,
) {
    ArrowFileWriter.open(path, batches[0].schema, options).use { writer ->
        batches.forEach(writer::write)
        if (finish) writer.finish()
        writer.bytesWritten shouldBe path.fileSize()
    }
}

/** The same file with its footer, which is then read with these options. */
private fun whole(
    path: Path,
    batches: List<RecordBatch>,
): IpcReadOptions {
    write(path, batches)
    return IpcReadOptions.defaults()
}

internal fun numbers(seed: Int): RecordBatch =
    recordBatch {
        column<Long>("id") { addAll(seed * 100L until seed * 100L + 100) }
        column<String>("text") { repeat(100) { add("row $it of batch $seed") } }
    }
