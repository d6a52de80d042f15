package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.messageOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.math.BigDecimal
import java.time.LocalDateTime

/** Each error names column and row, and all that was allocated before it is freed (see [MemoryBalance]). */
class DslErrorsTest :
    FunSpec({
        extension(MemoryBalance())

        fun failing(block: ColumnsScope.() -> Unit): String =
            messageOf {
                recordBatch {
                    column<String>("before") { addAll(listOf("some", "memory", null)) }
                    block()
                }
            }

        test("a null in a column that is not nullable") {
            val message =
                failing {
                    column<Int>("id", nullable = false) {
                        add(1)
                        addNull()
                    }
                }
            message shouldContain "\"id\""
            message shouldContain "row 1"
            message shouldContain "null"
        }

        test("a decimal with too many digits, or one that does not fit without rounding") {
            val digits = failing { decimal("price", 4, 2) { addAll(listOf(BigDecimal("1.50"), BigDecimal("123.45"))) } }
            digits shouldContain "\"price\""
            digits shouldContain "row 1"
            val rounded = failing { decimal("price", 4, 2) { add(BigDecimal("1.505")) } }
            rounded shouldContain "\"price\""
            rounded shouldContain "row 0"
        }

        test("columns of unequal length") {
            val message =
                messageOf {
                    recordBatch {
                        column<Int>("three") { addAll(1..3) }
                        column<Int>("two") { addAll(1..2) }
                    }
                }
            message shouldContain "\"three\""
            message shouldContain "\"two\""
            message shouldContain "3"
            message shouldContain "2"
        }

        test("a value out of the range of its type") {
            failing { column("small", ArrowType.UINT8) { addAll(listOf(255, 256)) } } shouldContain "\"small\""
            failing { column("small", ArrowType.INT8) { add(128) } } shouldContain "row 0"
            failing {
                timestamp("at", TimeUnit.NANOSECOND) { add(LocalDateTime.of(9999, 1, 1, 0, 0)) }
            } shouldContain "\"at\""
        }

        test("a value of a class that does not fit the type") {
            val message = failing { column("n", ArrowType.INT32) { add("seven") } }
            message shouldContain "\"n\""
            message shouldContain "int32"
        }

        test("the error of a nested value has its path") {
            val message =
                failing {
                    struct("person") {
                        list<Int>("scores", elementNullable = false) { add(listOf(1, null)) }
                    }
                }
            message shouldContain "person"
            message shouldContain "scores"
        }

        test("the error of a decimal without precision and scale says what to write") {
            val message = failing { column<BigDecimal>("price") { add(BigDecimal.ONE) } }
            message shouldContain "decimal"
            message shouldContain "precision"
        }

        test("a row of too few or too many values") {
            val two =
                schema {
                    field<Int>("a")
                    field<Int>("b")
                }
            messageOf { recordBatch(two) { row(1) } } shouldContain "2"
            messageOf { recordBatch(two) { row(1, 2, 3) } } shouldContain "3"
        }

        test("a dictionary with more values than its index type allows") {
            failing {
                dictionary<Int>("d", ArrowType.INT8) { addAll(0..128) }
            } shouldContain "\"d\""
        }

        test("the error of a column read as a wrong type names the types that fit") {
            recordBatch { column<Int>("n") { add(1) } }.use { batch ->
                val message = messageOf { batch.values<String>("n") }
                message shouldContain "\"n\""
                message shouldContain "int32"
                message shouldContain "Int"
                batch.values<Long>("n")[0] shouldBe 1L
            }
            recordBatch { column<Long>("n") { add(1) } }.use { batch ->
                messageOf { batch.values<Int>("n") } shouldBe
                    "column \"n\" of type int64 has no values of type Int; the types that fit are Long, BigInteger"
                messageOf { batch.values<List<Int?>>("n") } shouldContain "no values of type List<Int?>;"
                messageOf { batch.values<Long>("nn") } shouldBe "no column is named \"nn\"; there are: n"
            }
        }

        test("the error of a closed column names what was called") {
            val batch = recordBatch { column<Long>("n") { add(1) } }
            val column = batch.values<Long>("n")
            val present = column.requireNoNulls()
            batch.close()
            mapOf<String, () -> Any?>(
                "sum" to { column.sum() },
                "average" to { column.average() },
                "minOrNull" to { column.minOrNull() },
                "maxOrNull" to { column.maxOrNull() },
                "requireNoNulls" to { column.requireNoNulls() },
                "toList" to { column.toList() },
                "toLongArray" to { column.toLongArray() },
                "forEachValue" to { column.forEachValue { } },
                "iterator" to { column.iterator().next() },
            ).forEach { (operation, call) ->
                val field = if (operation == "iterator") "" else " of field \"n\""
                shouldThrow<IllegalStateException> { call() }.message shouldStartWith
                    "$operation$field: the array has been closed"
            }
            shouldThrow<IllegalStateException> { present.iterator().next() }.message shouldStartWith "iterator: "
        }
    })
