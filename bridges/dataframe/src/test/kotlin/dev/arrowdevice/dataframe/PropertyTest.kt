package dev.arrowdevice.dataframe

import dev.arrowdevice.Validation
import dev.arrowdevice.exportTo
import dev.arrowdevice.importBatch
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.filter
import io.kotest.property.checkAll

/** Random batches of all types as frames and back. */
class PropertyTest :
    FunSpec({
        extension(Balance)

        val tries = iterations("dataframe", 300)
        val withoutUnions =
            BatchShape.arb().filter { shape ->
                shape.schema.fields.none { it.type.hasUnions() || it.hidesNulls() }
            }

        test("a frame has the values of its batch") {
            checkAll(tries, BatchShape.arb()) { shape ->
                val made = shape.build()
                made.batch.toDataFrame().use { lent ->
                    made.batch.close()
                    if (shape.schema.size() > 0) lent.frame.rowsCount() shouldBe shape.rowCount
                    valuesOf(lent.frame) shouldBe expectedOf(shape, made.values)
                }
            }
        }

        test("a frame has the values of a slice of a batch, and a range of it those of the range") {
            checkAll(tries, BatchShape.arb().filter { it.rowCount > 3 && it.schema.size() > 0 }) { shape ->
                val made = shape.build()
                made.batch.use { it.slice(1, shape.rowCount - 2L) }.use { slice ->
                    slice.toDataFrame().use { lent ->
                        valuesOf(lent.frame) shouldBe expectedOf(shape, made.cut(1, shape.rowCount - 2L))
                        val range = lent.frame[1..<shape.rowCount - 2]
                        valuesOf(range) shouldBe expectedOf(shape, made.cut(2, shape.rowCount - 3L))
                    }
                }
            }
        }

        test("a frame goes back to a batch of the same schema, shared and copied") {
            checkAll(tries, withoutUnions) { shape ->
                shape.build().batch.use { batch ->
                    batch.toDataFrame().use { lent ->
                        val values = valuesOf(lent.frame)
                        for (frame in listOf(lent.frame, lent.frame.onHeap())) {
                            frame.toRecordBatch(batch.schema).use { back ->
                                back.schema shouldBe batch.schema
                                back.toDataFrame().use { valuesOf(it.frame) shouldBe values }
                                val imported =
                                    importBatch(Validation.FULL) { array, schema ->
                                        back.exportTo(array, schema)
                                    }
                                imported.use { it.rowCount shouldBe batch.rowCount }
                            }
                        }
                    }
                }
            }
        }

        test("a range of a frame goes back, with nulls around it") {
            checkAll(tries, withoutUnions.filter { it.rowCount > 3 && it.schema.size() > 0 }) { shape ->
                shape.build().batch.use { batch ->
                    batch.toDataFrame().use { lent ->
                        val range = lent.frame[1..<shape.rowCount - 1]
                        range.toRecordBatch(batch.schema).use { back ->
                            back.toDataFrame().use { valuesOf(it.frame) shouldBe valuesOf(range) }
                        }
                    }
                }
            }
        }

        test("a frame goes to a batch of the types that its columns have, the same whether shared or copied") {
            checkAll(tries, withoutUnions) { shape ->
                shape.build().batch.use { batch ->
                    batch.toDataFrame().use { lent ->
                        val shared = runCatching { lent.frame.toRecordBatch() }
                        val copied = runCatching { lent.frame.onHeap().toRecordBatch() }
                        shared.isSuccess shouldBe copied.isSuccess
                        shared.exceptionOrNull()?.let { if (it !is IllegalArgumentException) throw it }
                        for (back in listOfNotNull(shared.getOrNull(), copied.getOrNull())) {
                            back.use {
                                back.schema shouldBe shared.getOrThrow().schema
                                back.toDataFrame().use {
                                    numbers(valuesOf(it.frame)) shouldBe
                                        numbers(valuesOf(lent.frame))
                                }
                            }
                        }
                    }
                }
            }
        }
    })

private fun expectedOf(
    shape: BatchShape,
    values: List<List<Any?>>,
): Map<String, List<Any?>> =
    shape.schema.fields.zip(values).associate { (field, column) ->
        field.name to column.map { plain(expected(it, field)) }
    }

/** With decimals as numbers: derived types have their own scale. */
private fun numbers(value: Any?): Any? =
    when (value) {
        is Map<*, *> -> value.entries.associate { numbers(it.key) to numbers(it.value) }
        is List<*> -> value.map(::numbers)
        is java.math.BigDecimal -> value.stripTrailingZeros()
        is java.math.BigInteger -> value.toBigDecimal().stripTrailingZeros()
        else -> value
    }
