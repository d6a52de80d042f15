package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.arbitrary.filter
import io.kotest.property.checkAll
import java.io.IOException

/** Streams of batches, plain and device, from Arrow C++ and to it. */
class ArrowCppStreamTest :
    FunSpec({
        val loaded = ArrowCpp.whyUnavailable() == null

        Interface.entries.forEach { by ->
            context("${by.name.lowercase()} stream") {
                test("C++ reads our batches, then the end, repeatedly").config(enabled = loaded) {
                    balanced {
                        val source = ClosingIterator(batches(3))
                        DeviceArrayStream.of(SCHEMA, source).toCpp(by).use { reader ->
                            reader.schema().use { it.toString() shouldContain "origin: here" }
                            repeat(3) { i ->
                                reader.next()!!.use { read ->
                                    idsOf(read.validateFull(), by) shouldBe ids(i)
                                }
                            }
                            repeat(2) { reader.next().shouldBeNull() }
                            reader.finish()
                        }
                        source.closings shouldBe 1
                    }
                }

                test("we read C++'s batches, then the end, repeatedly").config(enabled = loaded) {
                    balanced {
                        cppReader(3).toJvm(by).use { stream ->
                            stream.schema shouldBe SCHEMA
                            stream.deviceType shouldBe DeviceType.CPU
                            repeat(3) { i -> stream.nextBatch()!!.use { idsOf(it) shouldBe ids(i) } }
                            repeat(2) { stream.nextBatch().shouldBeNull() }
                        }
                    }
                }

                test("batches outlive the stream that they came from").config(enabled = loaded) {
                    balanced {
                        val ours = cppReader(2).toJvm(by).use { it.nextBatch()!! }
                        val source = DeviceArrayStream.of(SCHEMA, batches(2))
                        val theirs = source.toCpp(by).use { it.next()!! }
                        ours.use { idsOf(it) shouldBe ids(0) }
                        theirs.use { idsOf(it.validateFull(), by) shouldBe ids(0) }
                    }
                }

                test("a stream that is closed early releases the batches that were not read").config(enabled = loaded) {
                    balanced {
                        cppReader(3).toJvm(by).use { it.nextBatch()!!.close() }
                        DeviceArrayStream.of(SCHEMA, batches(3)).toCpp(by).use { it.next()!!.close() }
                        DeviceArrayStream.of(SCHEMA, batches(3)).toCpp(by).use { it.finish() }
                        cppReader(3).toJvm(by).close()
                    }
                }

                test("a stream without batches has a schema and an end").config(enabled = loaded) {
                    balanced {
                        DeviceArrayStream.of(SCHEMA, listOf()).toCpp(by).toJvm(by).use { stream ->
                            stream.schema shouldBe SCHEMA
                            stream.nextBatch().shouldBeNull()
                        }
                    }
                }

                test("C++ gets the kind and the message of our failure, with its causes").config(enabled = loaded) {
                    val failures =
                        mapOf(
                            IllegalArgumentException("no such row") to INVALID,
                            UnsupportedOperationException("not on Sundays") to NOT_IMPLEMENTED,
                            OutOfMemoryError("too large") to OUT_OF_MEMORY,
                            IOException("disk on fire", IllegalStateException("ärger im Keller")) to IO_ERROR,
                        )
                    failures.forEach { (failure, code) ->
                        balanced {
                            val source = ClosingIterator(batches(1), failure)
                            DeviceArrayStream.of(SCHEMA, source).toCpp(by).use { reader ->
                                reader.next()!!.close()
                                val thrown = shouldThrow<CppException> { reader.next() }
                                thrown.code() shouldBe code
                                generateSequence(failure) { it.cause }.forEach {
                                    thrown.message shouldContain it.message!!
                                }
                            }
                            source.closings shouldBe 1
                        }
                    }
                }

                test("a stream whose schema fails is refused at import").config(enabled = loaded) {
                    balanced {
                        val thrown = shouldThrow<CppException> { NoSchema().toCpp(by) }
                        thrown.code() shouldBe INVALID
                        thrown.message shouldContain "the table was dropped"
                    }
                }

                test("we get the code and the message of C++'s failure").config(enabled = loaded) {
                    balanced {
                        cppBatches(2).useAll { batches ->
                            CppIpc.truncated(batches, 12).toJvm(by).use { stream ->
                                stream.nextBatch()!!.use { idsOf(it) shouldBe ids(0) }
                                val thrown = shouldThrow<ForeignException> { stream.nextBatch() }
                                thrown.errno shouldBe Errno.EIO
                                thrown.message shouldContain "Expected to be able to read"
                            }
                        }
                    }
                }

                test("a failure keeps its kind and message on its way through C++").config(enabled = loaded) {
                    balanced {
                        val source = ClosingIterator(batches(1), UnsupportedOperationException("not on Sundays"))
                        DeviceArrayStream.of(SCHEMA, source).toCpp(by).toJvm(by).use { stream ->
                            stream.nextBatch()!!.use { idsOf(it) shouldBe ids(0) }
                            val thrown = shouldThrow<ForeignException> { stream.nextBatch() }
                            thrown.errno shouldBe Errno.ENOSYS
                            thrown.message shouldContain "not on Sundays"
                        }
                    }
                }

                test("a stream of arrays that are not batches becomes a chunked array").config(enabled = loaded) {
                    CppSamples.all.forEach { sample ->
                        withClue(sample.name) { balanced { chunks(sample, by) } }
                    }
                }

                test("random batches keep their values in a stream through C++").config(enabled = loaded) {
                    val shapes = BatchShape.arb().filter { !isBeyondCpp(it.schema) }
                    balanced { checkAll(iterations("cpp", 1_000), shapes) { shape -> streamed(shape, by) } }
                }
            }
        }
    })

private const val OUT_OF_MEMORY = 1
private const val INVALID = 4
private const val IO_ERROR = 5
private const val NOT_IMPLEMENTED = 10
private const val ROWS = 3

private val SCHEMA = Schema(listOf(Field.nullable("id", ArrowType.INT32)), Metadata.of("origin", "here"))

/** The values of the only column of batch number i. */
private fun ids(batch: Int): List<Int?> = List(ROWS) { row -> (batch * ROWS + row).takeIf { it % 4 != 3 } }

private fun cppBatches(count: Int): List<CppRecordBatch> =
    List(count) { i ->
        val type = TypeSpec.of("+s", TypeSpec.of("i").named("id")).metadata("origin", "here")
        CppArrays
            .fromJson(
                type,
                ids(i).joinToString(prefix = "[", postfix = "]") {
                    "[$it]"
                },
            ).use { CppRecordBatch.fromStruct(it) }
    }

private fun <T> List<CppRecordBatch>.useAll(body: (List<CppRecordBatch>) -> T): T =
    try {
        body(this)
    } finally {
        forEach { it.close() }
    }

/** A reader that C++ made, of a schema with metadata. */
private fun cppReader(count: Int): CppRecordBatchReader =
    cppBatches(count).useAll { batches ->
        CStruct.schema().use { struct ->
            ArrowExport.exportSchema(SCHEMA, struct)
            CppSchema.importFrom(struct.address).use { schema -> CppRecordBatchReader.of(schema, batches) }
        }
    }

private fun batches(count: Int): List<RecordBatch> = cppBatches(count).useAll { batches -> batches.map { it.toJvm() } }

private fun idsOf(batch: RecordBatch): List<Any?> = valuesOf(batch.column("id"))

private fun idsOf(
    batch: CppRecordBatch,
    by: Interface,
): List<Any?> = batch.toJvm(by).use { idsOf(it) }

private fun streamed(
    shape: BatchShape,
    by: Interface,
) {
    val made = shape.build()
    val middle = shape.rowCount / 2L
    val cuts = listOf(0L to middle, middle to 0L, middle to shape.rowCount - middle)
    val slices = made.batch.use { batch -> cuts.map { (from, length) -> batch.slice(from, length) } }
    DeviceArrayStream.of(shape.schema, slices).toCpp(by).toJvm(by).use { stream ->
        stream.schema shouldBe keptByCpp(shape.schema)
        cuts.forEach { (from, length) ->
            stream.nextBatch()!!.use { batch ->
                made.cut(from, length).forEachIndexed { i, column ->
                    withClue("column $i") { valuesOf(batch.column(i)) shouldBe column }
                }
            }
        }
        stream.nextBatch().shouldBeNull()
    }
}

private fun chunks(
    sample: CppSample,
    by: Interface,
) {
    sample.make().use { array ->
        val field = Field.nullable("", sample.type)
        val arrays = List(2) { array.toJvm(by) }
        val stream =
            DeviceArrayStream.ofArrays(
                field,
                DeviceType.CPU,
                arrays.iterator(),
            ) { arrays.forEach { it.close() } }
        stream.toCppChunks(by).use { chunked ->
            chunked.validateFull().chunks().forEach { chunk -> chunk.use { it.sameAs(array) shouldBe true } }
            chunked.toJvm(by).use { back ->
                back.field.type shouldBe sample.type
                repeat(2) { back.nextArray()!!.use { valuesOf(it) shouldBe sample.values } }
                back.nextArray().shouldBeNull()
            }
        }
    }
}

/** Batches, then a failure if there is one; batches that nobody took are closed with it. */
private class ClosingIterator(
    batches: List<RecordBatch>,
    private val failure: Throwable? = null,
) : Iterator<RecordBatch>,
    AutoCloseable {
    private val rest = ArrayDeque(batches)
    var closings = 0

    override fun hasNext(): Boolean = rest.isNotEmpty() || failure != null

    override fun next(): RecordBatch = rest.removeFirstOrNull() ?: throw failure!!

    override fun close() {
        closings++
        rest.forEach { it.close() }
    }
}

private class NoSchema : DeviceArrayStream() {
    override fun getDeviceType(): Int = DeviceType.CPU

    override fun getField(): Field = throw IllegalStateException("the table was dropped")

    override fun pull() = null

    override fun closeSource() = Unit
}
