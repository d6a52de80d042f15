package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.GuardedMemory
import dev.arrowdevice.peers.arbitrary.ArbitraryBatch
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.shouldBe
import io.kotest.property.arbitrary.filter
import io.kotest.property.checkAll

/**
 * Random batches, nested up to four deep, cross over to Arrow C++, which checks every byte, and come back.
 *
 * `-Darrowdevice.iterations.cpp=…` tries more of them. A failure prints a seed and the smallest shape that still fails.
 */
class ArrowCppPropertyTest :
    FunSpec({
        val loaded = ArrowCpp.whyUnavailable() == null

        test(
            "a random batch is valid for C++ and comes back with the same schema and values",
        ).config(enabled = loaded) {
            balanced {
                checkAll(iterations("cpp", 3_000), shapes) { shape ->
                    val by = Interface.entries[shape.rowCount % 2]
                    throughCpp(shape, by) { it }
                }
            }
        }

        test(
            "a slice of a random batch keeps its values in both directions, sliced here or by C++",
        ).config(enabled = loaded) {
            balanced {
                checkAll(iterations("cpp", 3_000), shapes) { shape ->
                    val from = shape.rowCount / 3L
                    val length = shape.rowCount - from - shape.rowCount / 4
                    throughCpp(shape, Interface.PLAIN) { made ->
                        ArbitraryBatch(made.batch.use { it.slice(from, length) }, made.cut(from, length))
                    }
                    shape.build().let { made ->
                        made.batch.use { it.toCpp() }.use { whole ->
                            whole.slice(from, length).use { slice -> check(shape, slice, made.cut(from, length)) }
                        }
                    }
                }
            }
        }

        test(
            "each column of a random batch is exchanged as an array with nulls and offset",
        ).config(enabled = loaded) {
            balanced {
                checkAll(iterations("cpp", 3_000), shapes) { shape ->
                    val made = shape.build()
                    made.batch.use { batch ->
                        made.values.forEachIndexed { i, values ->
                            batch.column(i).share().use { it.toCpp() }.use { array ->
                                array.validateFull().length() shouldBe values.size.toLong()
                                array.toJvm().use { valuesOf(it) shouldBe values }
                            }
                        }
                    }
                }
            }
        }

        test("C++'s concatenation of slices of a random column has their values").config(enabled = loaded) {
            balanced {
                val able = Able()
                checkAll(iterations("cpp", 3_000), shapes) { shape ->
                    val made = shape.build()
                    made.batch.use { batch ->
                        made.values.forEachIndexed { i, values ->
                            batch
                                .column(i)
                                .share()
                                .use { it.toCpp() }
                                .use { concatenated(it, values, able) }
                        }
                    }
                }
                able.shouldBeMost()
            }
        }

        test("a random batch keeps its values in C++'s IPC format").config(
            enabledOrReasonIf = { case ->
                if (!loaded) {
                    Enabled.disabled("Arrow C++ is not available")
                } else {
                    GuardedMemory.skipped("C++ reads behind the type ids of a union that has an offset")(case)
                }
            },
        ) {
            balanced {
                val able = Able()
                checkAll(iterations("cpp", 3_000), shapes) { shape ->
                    val made = shape.build()
                    made.batch.use { it.toCpp() }.use { batch ->
                        able.attempt({ it.isValid() && it.sameAs(batch) }) { throughIpc(batch) }?.use {
                            check(shape, it, made.values)
                        }
                    }
                }
                able.shouldBeMost()
            }
        }
    })

private val shapes = BatchShape.arb().filter { !isBeyondCpp(it.schema) }

/** Arrow C++ exchanges some types that it can't fully use itself. */
private class Able {
    private var attempts = 0
    private var failures = 0

    /** The result of the operation, or null if C++ reports that it can't do it, or that its result is wrong. */
    fun <T : CppObject> attempt(
        isRight: (T) -> Boolean,
        operation: () -> T,
    ): T? {
        attempts++
        try {
            val result = operation()
            if (isRight(result)) return result
            result.close()
        } catch (_: CppException) {
            // Counts as a failure like a wrong result.
        }
        failures++
        return null
    }

    fun shouldBeMost() {
        withClue("$failures of $attempts attempts") { (failures * 5 < attempts) shouldBe true }
    }
}

private fun throughIpc(batch: CppRecordBatch) = CppIpc.roundTrip(listOf(batch)).use { reader -> reader.next()!! }

private fun concatenated(
    array: CppArray,
    values: List<Any?>,
    able: Able,
) {
    val middle = array.length() / 2
    array.slice(middle, array.length() - middle).use { end ->
        array.slice(0, middle).use { start ->
            able.attempt({ it.isValid() }) { CppArrays.concatenate(listOf(end, start)) }?.use { both ->
                val expected = values.drop(middle.toInt()) + values.take(middle.toInt())
                both.toJvm().use { valuesOf(it) shouldBe expected }
            }
        }
    }
}

private fun throughCpp(
    shape: BatchShape,
    by: Interface,
    prepare: (ArbitraryBatch) -> ArbitraryBatch,
) {
    val made = prepare(shape.build())
    made.batch.share().use { copy ->
        made.batch.use { it.toCpp(by) }.use { inCpp -> check(shape, inCpp, made.values, by, copy) }
    }
}

private fun check(
    shape: BatchShape,
    batch: CppRecordBatch,
    values: List<List<Any?>>,
    by: Interface = Interface.PLAIN,
    original: RecordBatch? = null,
) {
    batch.validateFull()
    batch.toJvm(by).use { back ->
        withClue("schema") { back.schema shouldBe keptByCpp(shape.schema) }
        values.forEachIndexed { i, column -> withClue("column $i") { valuesOf(back.column(i)) shouldBe column } }
        if (original?.schema == back.schema) {
            withClue("valuesEqual") { back.valuesEqual(original) shouldBe true }
        }
    }
}
