package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ColumnTest :
    FunSpec({
        extension(MemoryBalance())

        val numbers = {
            recordBatch {
                column<Int>("int") { addAll(listOf(3, null, -1, 7)) }
                column<Long>("long") { addAll(listOf(3L, null, -1L, 7L)) }
                column<Float>("float") { addAll(listOf(3f, null, -1f, 7f)) }
                column<Double>("double") { addAll(listOf(3.0, null, -1.0, 7.0)) }
            }
        }

        test("sums, means and extremes skip nulls") {
            numbers().use { batch ->
                batch.column<Int>("int").sum() shouldBe 9L
                batch.column<Int>("int").min() shouldBe -1
                batch.column<Int>("int").max() shouldBe 7
                batch.column<Int>("int").mean() shouldBe 3.0
                batch.column<Long>("long").sum() shouldBe 9L
                batch.column<Long>("long").min() shouldBe -1L
                batch.column<Long>("long").max() shouldBe 7L
                batch.column<Float>("float").sum() shouldBe 9.0
                batch.column<Float>("float").max() shouldBe 7f
                batch.column<Double>("double").mean() shouldBe 3.0
                batch.column<Double>("double").min() shouldBe -1.0
            }
        }

        test("of no values there is a sum, and no mean nor extreme") {
            recordBatch { column<Int>("int") { addAll(listOf(null, null)) } }.use { batch ->
                batch.column<Int>("int").sum() shouldBe 0L
                batch.column<Int>("int").mean() shouldBe null
                batch.column<Int>("int").min() shouldBe null
                batch.column<Int>("int").max() shouldBe null
            }
        }

        test("values are visited with their rows, nulls left out, also of a slice") {
            numbers().use { batch ->
                batch.slice(1, 3).use { slice ->
                    val seen = mutableListOf<Pair<Long, Int>>()
                    slice.column<Int>("int").forEachValueIndexed { row, value -> seen += row to value }
                    seen shouldBe listOf(1L to -1, 2L to 7)
                    slice.column<Int>("int").toIntArray(0).toList() shouldBe listOf(0, -1, 7)
                    slice.column<Int>("int").asSequence().toList() shouldBe listOf(null, -1, 7)
                }
            }
        }

        test("an int sum does not overflow at 32 bits") {
            deviceArrayOf(Int.MAX_VALUE, Int.MAX_VALUE).use { it.asColumn<Int>().sum() shouldBe 4294967294L }
        }

        test(
            "without nulls a sum is that of all values, also of a slice, of narrower integers and through an encoding",
        ) {
            val rows = 0 until 3000
            recordBatch {
                column<Int>("int") { addAll(rows) }
                column<Long>("long") { addAll(rows.map { it + (1L shl 40) }) }
                column<Float>("float") { addAll(rows.map { it / 2f }) }
                column<Double>("double") { addAll(rows.map { it / 4.0 }) }
                column<Short>("short") { addAll(rows.map { it.toShort() }) }
                dictionary<Int>("dictionary") { addAll(rows.map { it % 7 }) }
                runEndEncoded<Int>("runs", ArrowType.INT32) { addAll(rows.map { if (it < 10) null else 1 }) }
            }.use { batch ->
                batch.slice(5, 2500).use { slice ->
                    val sum = (5L until 2505).sum()
                    slice.column<Int>("int").sum() shouldBe sum
                    slice.column<Long>("int").sum() shouldBe sum
                    slice.column<Int>("short").sum() shouldBe sum
                    slice.column<Long>("long").sum() shouldBe sum + (2500L shl 40)
                    slice.column<Float>("float").sum() shouldBe sum / 2.0
                    slice.column<Double>("double").sum() shouldBe sum / 4.0
                    slice.column<Int>("dictionary").sum() shouldBe (5L until 2505).sumOf { it % 7 }
                    slice.column<Int>("runs").sum() shouldBe 2495L
                }
            }
        }

        test("each batch of a stream is closed after its turn, whatever the block does") {
            val schema = schema { field<Int>("n") }
            val batches = { generateSequence { recordBatch(schema) { row(1) } }.take(3) }
            batches().toDeviceArrayStream(schema).use { stream ->
                var rows = 0L
                stream.forEachBatch { rows += it.rowCount }
                rows shouldBe 3L
            }
            val buffers = ArrowCounters.now().hostBuffers()
            batches().toDeviceArrayStream(schema).use { stream ->
                shouldThrow<IllegalStateException> { stream.forEachBatch { error("enough") } }.message shouldBe "enough"
                stream.asSequence().map { it.column<Int>("n").sum() }.toList() shouldBe listOf(1L, 1L)
            }
            ArrowCounters.now().hostBuffers() shouldBe buffers
        }
    })
