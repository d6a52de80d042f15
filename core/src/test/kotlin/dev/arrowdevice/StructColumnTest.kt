package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Points, of which every fifth is null and every third has no x, with a label within that is null with every seventh. */
private fun points(rows: Int): RecordBatch =
    recordBatch {
        struct("point") {
            val x = column<Double>("x")
            val id = column<Long>("id", nullable = false)
            val scores = list<Int>("scores")
            val label = struct("label")
            val text = label.column<String>("text")
            val size = label.column<Int>("size", nullable = false)
            repeat(rows) {
                if (it % 5 == 0) {
                    addNull()
                } else {
                    if (it % 3 == 0) x.addNull() else x.add(it / 2.0)
                    id.add(it.toLong())
                    scores.add(listOf(it, null))
                    if (it % 7 == 0) {
                        label.addNull()
                    } else {
                        text.add("l$it")
                        size.add(it)
                    }
                }
            }
        }
    }

class StructColumnTest :
    FunSpec({
        extension(MemoryBalance())

        test("a field is null where it or a struct around it is null, also in a slice") {
            val offset = 3
            points(3000).use { batch ->
                batch.slice(offset.toLong(), 2900).use { slice ->
                    val point = slice.struct("point")

                    fun <T : Any> Column<T>.shouldHold(value: (Int) -> T?) {
                        val expected = List(2900) { if ((it + offset) % 5 == 0) null else value(it + offset) }
                        toList() shouldBe expected
                        asSequence().toList() shouldBe expected
                        List(2900) { this[it] } shouldBe expected
                        List(2900) { isNull(it.toLong()) } shouldBe expected.map { it == null }
                    }
                    point.values<Double>("x").shouldHold { if (it % 3 == 0) null else it / 2.0 }
                    point.values<Long>("id").shouldHold { it.toLong() }
                    point.values<Long>(1).shouldHold { it.toLong() }
                    point.values<List<Int?>>("scores").shouldHold { listOf(it, null) }
                    val label = point.struct("label")
                    label.values<String>("text").shouldHold { if (it % 7 == 0) null else "l$it" }
                    label.values<Int>("size").shouldHold { if (it % 7 == 0) null else it }
                    List(2900) { label.isNull(it.toLong()) } shouldBe
                        List(2900) { (it + offset) % 5 == 0 || (it + offset) % 7 == 0 }
                    slice
                        .column("point")
                        .struct()
                        .values<Long>("id")
                        .shouldHold { it.toLong() }
                    slice
                        .struct(0)
                        .struct(3)
                        .values<Int>("size")
                        .shouldHold { if (it % 7 == 0) null else it }
                }
            }
        }

        test("sums, visits and arrays of a field leave out the rows where the struct is null") {
            points(3000).use { batch ->
                val rows = (0 until 3000).filter { it % 5 != 0 }
                val point = batch.struct("point")
                val id = point.values<Long>("id")
                id.sum() shouldBe rows.sumOf { it.toLong() }
                id.average() shouldBe rows.average()
                id.minOrNull() shouldBe 1L
                id.maxOrNull() shouldBe 2999L
                val seen = mutableListOf<Long>()
                id.forEachValueIndexed { row, value -> if (row == value) seen += value }
                seen shouldBe rows.map { it.toLong() }
                id.toLongArray(-1L).toList() shouldBe List(3000) { if (it % 5 == 0) -1L else it.toLong() }
                shouldThrow<IllegalStateException> { id.toLongArray() }
                point.values<Double>("x").sum() shouldBe rows.filter { it % 3 != 0 }.sumOf { it / 2.0 }
                point.struct("label").values<Int>("size").sum() shouldBe rows.filter { it % 7 != 0 }.sum()
                shouldThrow<IllegalArgumentException> { id.requireNoNulls() }.message shouldContain
                    "column \"point.id\" of type int64 at index 0 is null"
            }
        }

        test("a struct without nulls returns its fields unchanged") {
            points(5).use { batch ->
                batch.slice(1, 4).use { slice ->
                    val id = slice.struct("point").values<Long>("id")
                    slice.column("point").nullCount shouldBe 0L
                    slice
                        .struct("point")
                        .values<Long>("id")
                        .requireNoNulls()
                        .sum() shouldBe 10L
                    id.toList() shouldBe listOf(1L, 2L, 3L, 4L)
                }
            }
        }

        test("errors have the path and the types that fit") {
            points(2).use { batch ->
                shouldThrow<IllegalArgumentException> { batch.struct("point").values<Int>("z") }.message shouldContain
                    "x, id, scores, label"
                shouldThrow<IllegalArgumentException> { batch.struct("point").values<Int>("x") }.message shouldContain
                    "\"point.x\""
                shouldThrow<IllegalArgumentException> { batch.struct("point").struct("label").struct("text") }
                    .message shouldContain "\"point.label.text\" of type utf8 has no fields"
                shouldThrow<IndexOutOfBoundsException> { batch.struct("point").values<Int>(9) }
                val column = batch.struct("point").values<Long>("id")
                batch.close()
                shouldThrow<IllegalStateException> { column[1] }.message shouldContain "closed"
            }
        }
    })
