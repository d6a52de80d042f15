package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

class NonNullColumnTest :
    FunSpec({
        extension(MemoryBalance())

        test("values of a column without nulls are not nullable, by index, in a loop and as a list, also of a slice") {
            for (length in listOf(1, 7, 8, 9, 40, 41, 3000)) {
                fun <T : Any> NonNullColumn<T>.shouldHold(expected: List<T>) {
                    val seen = ArrayList<T>()
                    for (value in this) seen += value
                    seen shouldBe expected
                    List(length) { this[it] } shouldBe expected
                    toList() shouldBe expected
                    asSequence().toList() shouldBe expected
                }
                recordBatch {
                    column<Int>("int") { addAll(0..length) }
                    column<Long>("long") { addAll(0L..length) }
                    column<Float>("float") { addAll(List(length + 1) { it / 2f }) }
                    column<Double>("double") { addAll(List(length + 1) { it / 3.0 }) }
                    column<String>("string") { addAll(List(length + 1) { "ä$it" }) }
                    dictionary<Int>("dictionary") { addAll(List(length + 1) { it % 3 }) }
                }.use { batch ->
                    batch.slice(1, length.toLong()).use { slice ->
                        slice.values<Int>("int").requireNoNulls().shouldHold(List(length) { it + 1 })
                        slice.values<Long>("int").requireNoNulls().shouldHold(List(length) { it + 1L })
                        slice.values<Long>("long").requireNoNulls().shouldHold(List(length) { it + 1L })
                        slice.values<Float>("float").requireNoNulls().shouldHold(List(length) { (it + 1) / 2f })
                        slice.values<Double>("double").requireNoNulls().shouldHold(List(length) { (it + 1) / 3.0 })
                        slice.values<String>("string").requireNoNulls().shouldHold(List(length) { "ä${it + 1}" })
                        slice.values<Int>("dictionary").requireNoNulls().shouldHold(List(length) { (it + 1) % 3 })
                    }
                }
            }
        }

        test("sums throw on overflow, unlike those of the standard library") {
            deviceArrayOf(Int.MAX_VALUE, 1).use { array ->
                val column = array.values<Int>().requireNoNulls()
                shouldThrow<ArithmeticException> { column.sum() }
                column.average() shouldBe (1L shl 30).toDouble()
                column.minOrNull() shouldBe 1
                column.maxOrNull() shouldBe Int.MAX_VALUE
                column.toIntArray().toList() shouldBe listOf(Int.MAX_VALUE, 1)
                column.map { it / 2 } shouldBe listOf(Int.MAX_VALUE / 2, 0)
            }
        }

        test("a null is refused, and the error has the column and the index") {
            recordBatch {
                column<Long>("id") { addAll(listOf(1L, 2L, null, null)) }
                dictionary<String>("city") { addAll(listOf("Ulm", "Graz", null, "Ulm")) }
                runEndEncoded<Int>("runs") { addAll(listOf(1, 1, null, 1)) }
                column<Int>("none", ArrowType.NULL) { repeat(4) { addNull() } }
            }.use { batch ->
                batch.slice(1, 3).use { slice ->
                    for (name in listOf("id", "city", "runs")) {
                        val message =
                            shouldThrow<IllegalArgumentException> { slice.values<Any>(name).requireNoNulls() }.message
                        message shouldContain "\"$name\""
                        message shouldContain "index 1 is null"
                    }
                    shouldThrow<IllegalArgumentException> { slice.values<Any>("none").requireNoNulls() }
                        .message shouldContain "index 0 is null"
                }
                batch.slice(0, 2).use { it.values<Long>("id").requireNoNulls().sum() shouldBe 3L }
            }
        }

        test("after the array was closed or moved no value is returned, not even one that was read ahead") {
            for (end in listOf<
                (
                    DeviceArray,
                ) -> Unit,
            >({ it.close() }, { RecordBatch.of(schema { field<Long>("n") }, listOf(it)).close() })) {
                val array = deviceArrayOf(1L, 2L, 3L)
                val column = array.values<Long>().requireNoNulls()
                val iterator = column.iterator()
                iterator.next() shouldBe 1L
                end(array)
                shouldThrow<IllegalStateException> { iterator.next() }
                shouldThrow<IllegalStateException> { column[1] }
                shouldThrow<IllegalStateException> { column.sum() }
            }
        }
    })
