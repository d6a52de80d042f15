package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.comparable
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.arrow.c.ArrowArrayStream
import org.apache.arrow.c.Data
import org.apache.arrow.vector.ipc.ArrowReader
import java.io.IOException

class ArrowJavaStreamTest :
    FunSpec({
        val sizes = listOf(19, 0, 1, 8)
        val numbers = Schema.of(Field.nullable("n", ArrowType.INT32))

        fun ArrowJava.take(stream: DeviceArrayStream): ArrowReader =
            ArrowArrayStream.allocateNew(allocator).use { struct ->
                ArrowExport.exportStream(stream, CStruct.arrayStreamAt(struct.memoryAddress()))
                Data.importArrayStream(allocator, struct)
            }

        fun ArrowJava.give(reader: ArrowReader): DeviceArrayStream =
            CStruct.arrayStream().use { struct ->
                Data.exportArrayStream(allocator, reader, ArrowArrayStream.wrap(struct.address))
                ArrowImport.importStream(struct, Validation.FULL)
            }

        fun numbers(vararg values: Int?): RecordBatch =
            RecordBatch.of(numbers, listOf(build(numbers.field(0), values.asList())))

        test("Arrow Java reads a stream of batches with columns of all types to its end") {
            withArrowJava {
                take(DeviceArrayStream.of(AllColumns.schema, sizes.map(AllColumns::build))).use { reader ->
                    sizes.forEach { rows ->
                        reader.loadNextBatch() shouldBe true
                        AllColumns.check(
                            reader.vectorSchemaRoot,
                            rows,
                        ) { JavaReading(reader).values(it).map(::comparable) }
                    }
                    reader.loadNextBatch() shouldBe false
                    reader.loadNextBatch() shouldBe false
                }
            }
        }

        test("a stream of batches with columns of all types of Arrow Java is read to its end") {
            withArrowJava {
                val batches = JavaBatches(this, AllColumns.schema, sizes.map(AllColumns::stored).iterator())
                give(batches).use { stream ->
                    stream.schema shouldBe AllColumns.schema
                    sizes.forEach { rows -> stream.nextBatch().shouldNotBeNull().use { AllColumns.check(it, rows) } }
                    stream.nextBatch().shouldBeNull()
                    stream.nextBatch().shouldBeNull()
                }
                batches.closed shouldBe true
            }
        }

        test("batches of Arrow Java outlive their stream and the next batches, although it has one root for all") {
            withArrowJava {
                val values = listOf(listOf(listOf(1, null)), listOf(listOf(3, 4)))
                val kept =
                    give(
                        JavaBatches(this, numbers, values.iterator()),
                    ).use { listOf(it.nextBatch(), it.nextBatch()) }
                kept.map { it.shouldNotBeNull().column(0).getObject(0) } shouldBe listOf(1, 3)
                kept.forEach { it?.close() }
            }
        }

        test("Arrow Java can close our stream early") {
            withArrowJava {
                take(
                    DeviceArrayStream.of(numbers, listOf(numbers(1), numbers(2), numbers(3))),
                ).use { it.loadNextBatch() }
            }
        }

        test("a stream of Arrow Java can be closed early") {
            withArrowJava {
                val batches = JavaBatches(this, numbers, generateSequence { listOf(listOf(1)) }.iterator())
                give(batches).use { it.nextBatch()?.close() }
                batches.closed shouldBe true
            }
        }

        test("a stream of Arrow Java that fails midway throws with its code and message, and is released") {
            withArrowJava {
                val values =
                    sequence<List<List<Any?>>> {
                        yield(listOf(listOf(1)))
                        throw IOException("the disk is on fire", IllegalStateException("too many sparks"))
                    }
                val batches = JavaBatches(this, numbers, values.iterator())
                give(batches).use { stream ->
                    stream.nextBatch().shouldNotBeNull().close()
                    val failure = shouldThrow<ForeignException> { stream.nextBatch() }
                    failure.errno shouldBe EIO
                    failure.message shouldContain "[get_next][EIO 5] java.io.IOException: the disk is on fire"
                    failure.message shouldContain "Caused by: java.lang.IllegalStateException: too many sparks"
                }
                batches.closed shouldBe true
            }
        }

        test("a stream of Arrow Java without a schema fails at import, and is released") {
            withArrowJava {
                val batches =
                    object : ArrowReader(allocator) {
                        var closed = false

                        override fun loadNextBatch() = false

                        override fun bytesRead() = 0L

                        override fun closeReadSource() {
                            closed = true
                        }

                        override fun readSchema() = throw IOException("no schema today")
                    }
                val failure = shouldThrow<ForeignException> { give(batches) }
                failure.errno shouldBe EIO
                failure.message shouldContain "[get_schema][EIO 5] java.io.IOException: no schema today"
                batches.closed shouldBe true
            }
        }

        test("Arrow Java's exception for our stream that fails midway has the code, our text and its cause") {
            val batches =
                sequence {
                    yield(numbers(1))
                    throw IllegalArgumentException("row 17 is odd", IOException("größer als 世界"))
                }
            withArrowJava {
                take(DeviceArrayStream.of(numbers, batches.iterator())).use { reader ->
                    reader.loadNextBatch() shouldBe true
                    val failure = shouldThrow<IOException> { reader.loadNextBatch() }
                    failure.message shouldContain "[errno $EINVAL]"
                    failure.message shouldContain "IllegalArgumentException: row 17 is odd"
                    failure.message shouldContain "caused by: IOException: größer als 世界"
                }
            }
        }
    }) {
    private companion object {
        const val EIO = 5
        const val EINVAL = 22
    }
}
