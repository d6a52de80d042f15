package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.add
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal
import java.nio.channels.Channels
import java.time.Instant
import java.time.LocalDate
import kotlin.io.path.readBytes

class DictionaryTest :
    FunSpec({
        fun readAll(bytes: ByteArray): List<RecordBatch> =
            arrowStream(Channels.newChannel(bytes.inputStream())).use { reader ->
                generateSequence { reader.nextBatch() }.toList()
            }

        fun comesBack(
            batches: List<RecordBatch>,
            options: IpcWriteOptions,
        ): Int {
            val bytes = streamOf(*batches.toTypedArray(), options = options)
            val read = readAll(bytes)
            read.size shouldBe batches.size
            read.zip(batches) { left, right -> left.use { it.valuesEqual(right) shouldBe true } }
            return bytes.size
        }

        test("a dictionary that stays the same is written once") {
            ReleaseBalance.start().use {
                words("a", "b").use { batch ->
                    val one = streamOf(batch).size
                    val two = streamOf(batch, batch).size
                    val three = streamOf(batch, batch, batch).size
                    three - two shouldBe two - one
                    words("a", "b").use { same -> streamOf(batch, batch, same).size shouldBe three }
                }
            }
        }

        test("a dictionary that changes is written anew, and each batch keeps its own") {
            ReleaseBalance.start().use {
                val batches = listOf(words("a", "b"), words("c"), words("a", "b"), words("b", "a", "d"))
                comesBack(batches, IpcWriteOptions.defaults())
                batches.forEach(RecordBatch::close)
            }
        }

        test("a dictionary that grows is written as what was added, if deltas are allowed") {
            ReleaseBalance.start().use {
                val long = List(100) { "a word that is not short $it" }
                val batches = listOf(words(*long.toTypedArray()), words(*(long + "one more").toTypedArray()))
                val anew = comesBack(batches, IpcWriteOptions.defaults())
                val delta = comesBack(batches, IpcWriteOptions.defaults().withDictionaryDeltas(true))
                (delta < anew - 2000) shouldBe true
                batches.forEach(RecordBatch::close)
            }
        }

        test("in a file the dictionaries of all batches become one") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val batches = listOf(words("a", "b"), words("b", "c"), words("a", "b"), words("d", "a", "e", "b"))
                    write(path, batches)
                    arrowFile(path).use { file ->
                        batches.forEachIndexed { i, batch ->
                            file.batch(i).use {
                                it.valuesEqual(batch) shouldBe true
                                it.column(0).dictionary.toString() shouldContain "[a, b, c, d"
                            }
                        }
                    }
                    batches.forEach(RecordBatch::close)
                }
            }
        }

        test("in a file, dictionaries that come in turn are written once, whatever the type of their values") {
            ReleaseBalance.start().use {
                turning().forEach { (type, values) ->
                    withClue("$type") {
                        withFile { path ->
                            val batches = values.map { dictionaryOf(type, it) }
                            write(path, List(150) { batches[it % 2] })
                            arrowFile(path).use { file ->
                                repeat(150) { i ->
                                    file.batch(i).use { it.valuesEqual(batches[i % 2]) shouldBe true }
                                }
                                file.batch(149).use { it.column(0).dictionary.length shouldBeLessThan 8 }
                            }
                            batches.forEach(RecordBatch::close)
                        }
                    }
                }
            }
        }

        test("0.0 and -0.0 are two values of a file's dictionary") {
            withFile { path ->
                val batches = listOf(listOf(0.0, 1.0), listOf(-0.0)).map { dictionaryOf(ArrowType.FLOAT64, it) }
                write(path, batches)
                arrowFile(path).use { file ->
                    file.batch(1).use { it.valuesEqual(batches[1]) shouldBe true }
                }
                batches.forEach(RecordBatch::close)
            }
        }

        test("nested dictionaries that grow batch by batch keep only the dictionary as it is now") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val type = ArrowType.list(ArrowType.dictionary(ArrowType.INT16, ArrowType.UTF8))
                    val batches =
                        List(40) { i ->
                            dictionaryOf(type, List(100) { listOf("word $i", "word $it") }, ArrowType.INT16)
                        }
                    write(path, batches)
                    // Behind its magic, a file is a stream.
                    val bytes = path.readBytes().let { it.copyOfRange(8, it.size) }
                    arrowStream(bytes.inputStream()).use { reader ->
                        val before = ArrowCounters.now().hostBytes()
                        batches.forEach { batch -> reader.nextBatch()!!.use { it.valuesEqual(batch) shouldBe true } }
                        (ArrowCounters.now().hostBytes() - before) shouldBeLessThan 6L * bytes.size
                    }
                    batches.forEach(RecordBatch::close)
                }
            }
        }

        test("a file whose dictionaries don't fit the indices together is refused by name of the index type") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val batches = List(3) { i -> words(*Array(60) { "$i $it" }, index = ArrowType.INT8) }
                    shouldThrow<IllegalArgumentException> { write(path, batches) }.message shouldContain "int8"
                    batches.forEach(RecordBatch::close)
                }
            }
        }
    })

internal fun words(
    vararg words: String,
    index: ArrowType = ArrowType.INT32,
): RecordBatch =
    recordBatch {
        column<String>("word", ArrowType.dictionary(index, ArrowType.UTF8)) {
            words.forEach { add(it) }
            addNull()
        }
    }

/** Values of two dictionaries each, which share some. */
private fun turning(): List<Pair<ArrowType, List<List<Any>>>> {
    val day = LocalDate.of(2024, 2, 29)
    val instant = Instant.parse("2024-02-29T12:00:00Z")
    val later = instant.plusSeconds(1)
    val decimals = listOf(listOf("1.00", "2.00"), listOf("2.00", "3.00")).map { it.map(::BigDecimal) }
    return listOf(
        ArrowType.FLOAT64 to listOf(listOf(1.5, 2.5), listOf(2.5, 3.5)),
        ArrowType.FLOAT32 to listOf(listOf(1.5f, 2.5f), listOf(2.5f, 3.5f)),
        ArrowType.INT64 to listOf(listOf(1L, 2L), listOf(2L, 3L)),
        ArrowType.decimal128(20, 2) to decimals,
        ArrowType.decimal256(50, 2) to decimals,
        ArrowType.DATE32 to listOf(listOf(day, day.plusDays(1)), listOf(day.plusDays(1), day.plusDays(2))),
        ArrowType.timestamp(TimeUnit.MICROSECOND, "UTC") to listOf(listOf(instant), listOf(later, instant)),
        ArrowType.BOOL to listOf(listOf(true, false), listOf(false)),
        ArrowType.UTF8_VIEW to listOf(listOf("a", "b"), listOf("b", "a text of more than twelve bytes")),
        ArrowType.list(ArrowType.INT32) to listOf(listOf(listOf(1), listOf(2)), listOf(listOf(2), listOf(3))),
        ArrowType.list(ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8)) to
            listOf(listOf(listOf("a"), listOf("b")), listOf(listOf("b"), listOf("c"))),
    )
}

private fun dictionaryOf(
    values: ArrowType,
    rows: List<Any>,
    index: ArrowType = ArrowType.INT8,
): RecordBatch {
    val schema = Schema.of(Field.nullable("d", ArrowType.dictionary(index, values)))
    return RecordBatchBuilder.of(schema).use { builder ->
        rows.forEach { builder.appendRow(it) }
        builder.finish()
    }
}
