package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

class RecordBatchTest :
    FunSpec({
        extension(MemoryBalance())

        fun schemaOf(columns: Int) = Schema(List(columns) { Field.nullable("c$it", ArrowType.INT32) }, Metadata.EMPTY)

        test("a batch takes any number of columns") {
            val columns = List(20_000) { deviceArrayOf(it) }
            RecordBatch.of(schemaOf(columns.size), columns).use { batch ->
                batch.column(19_999).getInt(0) shouldBe 19_999
                columns.count { it.isLive } shouldBe 0
            }
        }

        test("if one column can't be moved, the caller keeps all columns") {
            val columns = List(3) { deviceArrayOf(it) }
            columns[2].close()
            shouldThrow<IllegalStateException> { RecordBatch.of(schemaOf(3), columns) }
            columns.map { it.isLive } shouldBe listOf(true, true, false)
            columns.forEach { it.close() }
        }

        test("one array can't be two columns") {
            deviceArrayOf(1).use { column ->
                val failure =
                    shouldThrow<IllegalStateException> { RecordBatch.of(schemaOf(2), listOf(column, column)) }
                failure.message!! shouldContain "in the same call"
                column.isLive shouldBe true
            }
        }

        test("only a struct array of the schema's fields becomes a batch, and any other stays with the caller") {
            RecordBatch.of(schemaOf(1), listOf(deviceArrayOf(1))).intoStruct().use { struct ->
                deviceArrayOf(1).use { numbers ->
                    for ((schema, array) in listOf(schemaOf(1) to numbers, schemaOf(2) to struct)) {
                        shouldThrow<IllegalArgumentException> {
                            RecordBatch.ofStruct(
                                schema,
                                array,
                            )
                        }.message!! shouldContain
                            "is no batch of struct<"
                        array.isLive shouldBe true
                    }
                }
                RecordBatch.ofStruct(schemaOf(1), struct).use { it.column(0).getInt(0) shouldBe 1 }
                struct.isLive shouldBe false
            }
        }
    })
