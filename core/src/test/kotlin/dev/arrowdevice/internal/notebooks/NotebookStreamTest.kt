package dev.arrowdevice.internal.notebooks

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.Verb
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException

private val schema = Schema.of(Field.nullable("n", ArrowType.INT32))

private fun batch(vararg values: Int) = RecordBatch.of(schema, listOf(arrayOf(ArrowType.INT32, *values.toTypedArray())))

private fun DeviceArrayStream.next() =
    nextBatch()?.use { batch ->
        List(batch.rowCount.toInt()) {
            batch.column(0).getInt(it.toLong())
        }
    }

class NotebookStreamTest :
    FunSpec({
        extension(MemoryBalance())

        test("a stream shows its next batch, and returns it all the same") {
            var made = 0
            val batches = generateSequence { if (made == 2) null else batch(++made, 7) }.iterator()
            DeviceArrayStream.of(schema, batches).use { stream ->
                repeat(3) {
                    val shown = Shown.of(stream)
                    shown.cells shouldBe listOf(listOf("1"), listOf("7"))
                    shown.notes shouldBe listOf("Stream of batches on CPU, the next one:", "2 rows × 1 column")
                }
                made shouldBe 1
                stream.next() shouldBe listOf(1, 7)
                stream.next() shouldBe listOf(2, 7)
                Shown.of(stream).notes shouldBe listOf("Stream of batches on CPU: no more")
                stream.next() shouldBe null
                Shown.of(stream).notes shouldBe listOf("Stream of batches on CPU: no more")
            }
        }

        test("a batch that was shown is closed with the stream if nobody takes it") {
            val stream = DeviceArrayStream.of(schema, listOf(batch(1), batch(2)))
            Shown.of(stream).cells shouldBe listOf(listOf("1"))
            stream.close()
            Shown.of(stream).notes.single() shouldContain "the stream has been closed"
        }

        test("a batch that was shown moves with the stream") {
            for (taken in listOf(true, false)) {
                val stream = DeviceArrayStream.of(schema, listOf(batch(1), batch(2)))
                Shown.of(stream).cells shouldBe listOf(listOf("1"))
                Move.stream(stream, Verb.WRAP).use { moved ->
                    if (taken) moved.next() shouldBe listOf(1)
                }
                Shown.of(stream).notes.single() shouldContain "the stream has been moved"
            }
        }

        test("a stream of other arrays shows the next one") {
            val field = Field.nullable("", ArrowType.UTF8)
            DeviceArrayStream
                .ofArrays(field, DeviceType.CPU, listOf(arrayOf(ArrowType.UTF8, "a", null)).iterator()) {}
                .use { stream ->
                    Shown.of(stream).cells shouldBe listOf(listOf("a"), listOf("null"))
                    Shown.of(stream).notes shouldBe
                        listOf("Stream of arrays of type utf8 on CPU, the next one:", "2 values")
                    stream.nextArray()!!.use { it.length shouldBe 2L }
                }
        }

        test("a failure is shown, and is that of the next call too, which doesn't ask the source again") {
            var asked = 0
            val failing =
                generateSequence<RecordBatch> {
                    asked++
                    throw IOException("the cable is cut")
                }.iterator()
            DeviceArrayStream.of(schema, failing).use { stream ->
                Shown.of(stream).notes shouldBe listOf("Stream: the cable is cut")
                Shown.of(stream).notes shouldBe listOf("Stream: the cable is cut")
                shouldThrow<IOException> { stream.nextBatch() }
                asked shouldBe 1
                shouldThrow<IOException> { stream.nextBatch() }
                asked shouldBe 2
            }
        }
    })
