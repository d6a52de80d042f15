package dev.arrowdevice.samples.gpu

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.coroutines.flowOfBatches
import dev.arrowdevice.recordBatch
import dev.arrowdevice.samples.EverythingReleased
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach

class GatheredTest :
    FunSpec({
        extension(EverythingReleased)

        val schema = Schema.of(Field.nullable("n", ArrowType.INT32))

        /** The numbers from 0, with a null at each fifth place, in batches of these lengths. */
        fun numbers(vararg lengths: Int) =
            flowOfBatches {
                var next = 0
                for (length in lengths) {
                    emit(
                        recordBatch(schema) {
                            column<Int>("n") {
                                repeat(length) {
                                    next++.let {
                                        if (it % 5 ==
                                            4
                                        ) {
                                            addNull()
                                        } else {
                                            add(it)
                                        }
                                    }
                                }
                            }
                        },
                    )
                }
            }

        test("batches of any lengths become batches of one length, and a shorter last one") {
            val lengths = mutableListOf<Long>()
            val values = mutableListOf<Any?>()
            numbers(3, 5, 0, 9).gathered(schema, 4).collect { batch ->
                lengths += batch.rowCount
                for (row in 0 until batch.rowCount) values += batch.column(0).getObject(row)
            }
            lengths shouldBe listOf(4L, 4L, 4L, 4L, 1L)
            values shouldBe List(17) { if (it % 5 == 4) null else it }
        }

        test("no rows are no batch") {
            var batches = 0
            numbers(0, 0).gathered(schema, 4).collect { batches++ }
            batches shouldBe 0
        }

        test("an early end and a failure release what was gathered") {
            numbers(3, 5, 9).gathered(schema, 4).first().isLive shouldBe false
            shouldThrow<NoSuchElementException> {
                var batches = 0
                numbers(3, 5, 9)
                    .onEach { if (++batches == 2) throw NoSuchElementException() }
                    .gathered(schema, 4)
                    .collect()
            }
        }
    })
