package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.Verb
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.stream.Stream

private val schema = Schema.of(Field.nullable("n", ArrowType.INT32))

private fun batch(vararg values: Int) = RecordBatch.of(schema, listOf(arrayOf(ArrowType.INT32, *values.toTypedArray())))

class DeviceArrayStreamTest :
    FunSpec({
        extension(MemoryBalance())

        test("batches are returned in order and outlive the stream, and the end is reported again") {
            val stream = DeviceArrayStream.of(schema, listOf(batch(1), batch(2, 3)))
            stream.schema shouldBe schema
            val first = stream.nextBatch()!!
            val second = stream.nextBatch()!!
            stream.nextBatch() shouldBe null
            stream.nextBatch() shouldBe null
            stream.close()
            first.use { it.column(0).getInt(0) shouldBe 1 }
            second.use { it.rowCount shouldBe 2 }
        }

        test("an early close closes the batches that nobody took, and the source") {
            var closed = 0
            val buffers = ArrowCounters.now().hostBuffers()
            DeviceArrayStream.of(schema, listOf(batch(1), batch(2))).use { it.nextBatch()!!.close() }
            ArrowCounters.now().hostBuffers() shouldBe buffers
            val lazily = Stream.generate { batch(1) }.onClose { closed++ }
            DeviceArrayStream.of(schema, lazily).use { it.nextBatch()!!.close() }
            closed shouldBe 1
        }

        test("a use after close or move throws and names the state") {
            val stream = DeviceArrayStream.of(schema, listOf(batch(1)))
            val moved = Move.stream(stream, Verb.WRAP)
            shouldThrow<IllegalStateException> { stream.nextBatch() }.message shouldContain
                "nextBatch: the stream has been moved"
            stream.close()
            moved.nextBatch()!!.close()
            moved.close()
            moved.close()
            shouldThrow<IllegalStateException> { moved.nextBatch() }.message shouldContain "closed"
        }

        test("a batch of another schema, or on another device type, fails the call and is closed") {
            val wrong =
                RecordBatch.of(
                    Schema.of(Field.nullable("x", ArrowType.UTF8)),
                    listOf(arrayOf(ArrowType.UTF8, "a")),
                )
            DeviceArrayStream.of(schema, listOf(wrong).iterator()).use {
                shouldThrow<IllegalArgumentException> { it.nextBatch() }.message shouldContain
                    "in a stream of struct<n: int32>"
            }
            DeviceArrayStream.of(schema, DeviceType.CUDA, listOf(batch(1)).iterator()) {}.use {
                shouldThrow<IllegalArgumentException> { it.nextBatch() }.message shouldContain
                    "on CPU in a stream on CUDA"
            }
        }

        test("the exception of a source is thrown unchanged") {
            val failing =
                iterator {
                    yield(batch(1))
                    error("the source broke")
                }
            DeviceArrayStream.of(schema, failing).use {
                it.nextBatch()!!.close()
                shouldThrow<IllegalStateException> { it.nextBatch() }.message shouldBe "the source broke"
            }
        }

        test("arrays that are not structs can be streamed, but not as batches") {
            val field = Field.nullable("n", ArrowType.INT32)
            val arrays = listOf(arrayOf(ArrowType.INT32, 1)).iterator()
            DeviceArrayStream.ofArrays(field, DeviceType.CPU, arrays) {}.use { stream ->
                shouldThrow<IllegalArgumentException> { stream.schema }
                stream.nextArray()!!.use { it.getInt(0) shouldBe 1 }
                stream.nextArray() shouldBe null
            }
        }
    })
