package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.arrowjava.toArrowReader
import dev.arrowdevice.arrowjava.toDeviceArrayStream
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.BigIntVector

/** Readers of arrow-java as flows, and flows as readers. */
class ArrowJavaFlowTest :
    FunSpec({
        test("a reader is a flow") {
            exchange { allocator ->
                val reader = DeviceArrayStream.of(numbers, List(3, ::batch)).toArrowReader(allocator)
                reader
                    .toDeviceArrayStream()
                    .asFlow()
                    .map(::read)
                    .toList() shouldBe List(3, ::values)
            }
        }

        test("a flow that ends early closes its reader") {
            exchange { allocator ->
                var closed = 0
                val batches = generateSequence(0) { it + 1 }.map(::batch)
                val stream = DeviceArrayStream.of(numbers, DeviceType.CPU, batches.iterator()) { closed++ }
                val flow = stream.toArrowReader(allocator).toDeviceArrayStream().asFlow()
                flow.take(2).map(::read).toList() shouldBe List(2, ::values)
                closed shouldBe 1
            }
        }

        test("a flow is a reader") {
            exchange { allocator ->
                val flow = flowOfBatches { repeat(3) { emitBatch(batch(it)) } }
                coroutineScope {
                    val stream = flow.toDeviceArrayStream(numbers, this, context = Dispatchers.Default)
                    stream.toArrowReader(allocator).use { reader ->
                        val vector = reader.vectorSchemaRoot.getVector(0) as BigIntVector
                        val read = { if (reader.loadNextBatch()) List(10, vector::get) else null }
                        generateSequence(read).toList() shouldBe List(3, ::values)
                    }
                }
            }
        }
    }) {
    private companion object {
        val numbers: Schema = Schema.of(Field.notNull("n", ArrowType.INT64))

        suspend fun exchange(test: suspend (BufferAllocator) -> Unit) =
            ReleaseBalance.start().use { RootAllocator().use { test(it) } }

        fun values(batch: Int): List<Long> = List(10) { 10L * batch + it }

        fun batch(number: Int): RecordBatch =
            RecordBatchBuilder.of(numbers).use { builder ->
                values(number).forEach { builder.appendRow(it) }
                builder.finish()
            }

        fun read(batch: RecordBatch): List<Long> = List(batch.rowCount.toInt()) { batch.column(0).getLong(it.toLong()) }
    }
}
