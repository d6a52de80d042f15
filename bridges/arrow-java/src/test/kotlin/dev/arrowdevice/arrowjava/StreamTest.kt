package dev.arrowdevice.arrowjava

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.OutOfMemoryException
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.ipc.ArrowReader
import org.apache.arrow.vector.types.pojo.Schema
import java.io.IOException
import java.io.UncheckedIOException

class StreamTest :
    FunSpec({
        test("the batches of a reader outlive its loads and its end") {
            exchange { allocator ->
                val reader = Loads(allocator, 3)
                val batches =
                    reader.toDeviceArrayStream().use { stream ->
                        stream.schema shouldBe people
                        generateSequence(stream::nextBatch).toList()
                    }
                reader.closed shouldBe 1
                batches.flatMap { batch -> batch.use(::read) } shouldBe rows(0, 30)
            }
        }

        test("a stream that is closed early closes its reader") {
            exchange { allocator ->
                val reader = Loads(allocator, 3)
                reader.toDeviceArrayStream().use { it.nextBatch().shouldNotBeNull().close() }
                reader.closed shouldBe 1
            }
        }

        test("a reader that fails midway passes its exception on, and is closed") {
            exchange { allocator ->
                val reader = Loads(allocator, 3, failAt = 1)
                reader.toDeviceArrayStream().use { stream ->
                    stream.nextBatch().shouldNotBeNull().close()
                    shouldThrow<UncheckedIOException> { stream.nextBatch() }.cause?.message shouldBe
                        "the disk is on fire"
                }
                reader.closed shouldBe 1
            }
        }

        test("a reader without a schema remains the caller's") {
            exchange { allocator ->
                val reader = Loads(allocator, 0, failAt = -1)
                shouldThrow<UncheckedIOException> { reader.toDeviceArrayStream() }
                reader.closed shouldBe 0
                reader.close()
            }
        }

        test("a stream is a reader, which has each batch in the same root") {
            exchange { allocator ->
                stream(3).toArrowReader(allocator).use { reader ->
                    val root = reader.vectorSchemaRoot
                    val seen = generateSequence { if (reader.loadNextBatch()) read(root) else null }.toList()
                    seen.flatten() shouldBe rows(0, 30)
                    reader.vectorSchemaRoot shouldBeSameInstanceAs root
                    root.rowCount shouldBe 0
                    reader.loadNextBatch() shouldBe false
                    allocator.allocatedMemory shouldBe 0
                }
            }
        }

        test("a reader that is closed early closes its stream") {
            exchange { allocator ->
                var closed = 0
                val stream =
                    DeviceArrayStream.of(
                        people,
                        DeviceType.CPU,
                        iterator { yield(people(0, 10)) },
                    ) { closed++ }
                stream.toArrowReader(allocator).use { it.loadNextBatch() shouldBe true }
                closed shouldBe 1
                stream.close()
                closed shouldBe 1
            }
        }

        test("a stream that fails midway passes its exception on") {
            exchange { allocator ->
                val failing = sequence<RecordBatch> { throw IllegalArgumentException("row 17 is odd") }
                DeviceArrayStream.of(people, failing.iterator()).toArrowReader(allocator).use { reader ->
                    shouldThrow<IllegalArgumentException> { reader.loadNextBatch() }.message shouldBe "row 17 is odd"
                }
            }
        }

        test("an allocator's limit is honoured by a reader, and nothing is lost") {
            exchange(limit = 100) { allocator ->
                stream(3).toArrowReader(allocator).use { reader ->
                    shouldThrow<OutOfMemoryException> { reader.loadNextBatch() }
                    reader.vectorSchemaRoot.rowCount shouldBe 0
                }
            }
        }
    }) {
    /** A reader of batches of ten rows, as readers of files are: each load gives the same root other buffers. */
    private class Loads(
        allocator: BufferAllocator,
        private val batches: Int,
        private val failAt: Int = Int.MAX_VALUE,
    ) : ArrowReader(allocator) {
        private var next = 0
        var closed = 0
            private set

        override fun readSchema(): Schema =
            if (failAt < 0) throw IOException("no schema today") else people.toArrowJava(allocator)

        override fun loadNextBatch(): Boolean {
            if (next == failAt) throw IOException("the disk is on fire")
            if (next == batches) return false
            load(vectorSchemaRoot, 10 * next++)
            return true
        }

        private fun load(
            root: VectorSchemaRoot,
            from: Int,
        ) = peopleOfArrowJava(allocator, from, 10).use { rows ->
            root.fieldVectors.zip(rows.fieldVectors) { vector, row -> row.makeTransferPair(vector).transfer() }
            root.rowCount = 10
        }

        override fun bytesRead(): Long = 0

        override fun closeReadSource() {
            closed++
        }
    }

    private companion object {
        fun stream(batches: Int): DeviceArrayStream =
            DeviceArrayStream.of(people, List(batches) { people(10 * it, 10) })
    }
}
