package dev.arrowdevice.ipc

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream

class StreamTest :
    FunSpec({
        test("a stream of two batches comes back") {
            ReleaseBalance.start().use {
                sample().use { batch ->
                    val bytes = streamOf(batch, batch)
                    arrowStream(ByteArrayInputStream(bytes)).use { reader ->
                        reader.schema shouldBe batch.schema
                        repeat(2) {
                            reader.nextBatch()!!.use { it.valuesEqual(batch) shouldBe true }
                        }
                        reader.nextBatch() shouldBe null
                        reader.bytesRead shouldBe bytes.size
                        reader.batchesRead shouldBe 2
                    }
                }
            }
        }

        test("a stream without its marker looks whole, and is refused where the end is required") {
            ReleaseBalance.start().use {
                sample().use { batch ->
                    val whole = streamOf(batch)
                    val required = IpcReadOptions.defaults().withEndRequired(true)
                    readers(whole, required).values.forEach { consume(it) shouldBe true }
                    val cut = whole.copyOf(whole.size - 8)
                    readers(cut, IpcReadOptions.defaults()).values.forEach { consume(it) shouldBe true }
                    readers(cut, required).values.forEach { open ->
                        open().use { reader ->
                            reader.nextBatch()!!.close()
                            val failure = shouldThrow<ArrowIpcException> { reader.nextBatch() }
                            failure.message shouldContain "without the end-of-stream marker"
                            failure.position shouldBe cut.size
                        }
                    }
                }
            }
        }

        test("text, and what is compressed as a whole, is named") {
            listOf(
                "id,name\n1,a\n" to "it begins with \"id,n\"",
                "<html>" to "<htm",
                "{\"error\": 1}" to "{\"er",
                "\u001F\u008B and more" to "gzip",
                "(\u00B5/\u00FD and more" to "ZSTD",
                "PAR1 and more" to "Parquet",
            ).forEach { (content, word) ->
                refused(content.toByteArray(Charsets.ISO_8859_1)).let {
                    it shouldContain "no Arrow stream"
                    it shouldContain word
                }
            }
        }

        test("a stream that was closed is refused by the name of the method that was called") {
            val reader = sample().use { arrowStream(streamOf(it).inputStream()) }
            reader.close()
            shouldThrow<IllegalStateException> { reader.nextBatch() }.message shouldContain "nextBatch: "
            shouldThrow<IllegalStateException> { reader.nextArray() }.message shouldContain "nextArray: "
        }
    })

internal fun sample(): RecordBatch =
    recordBatch {
        column<Long>("id") { addAll(1L..3L) }
        column<String>("name") {
            add("Ada")
            addNull()
            add("Alan")
        }
        list<Double>("scores") {
            add(listOf(1.0, 2.0))
            addNull()
            add(emptyList())
        }
    }

internal fun streamOf(
    vararg batches: RecordBatch,
    options: IpcWriteOptions = IpcWriteOptions.defaults(),
): ByteArray {
    val bytes = ByteArrayOutputStream()
    ArrowStreamWriter.open(bytes, batches[0].schema, options).writing { writer -> batches.forEach(writer::write) }
    return bytes.toByteArray()
}
