package dev.arrowdevice.peers.operations

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import dev.arrowdevice.peers.arrowcpp.CppArray
import dev.arrowdevice.peers.arrowcpp.CppArrays
import dev.arrowdevice.peers.arrowcpp.CppException
import dev.arrowdevice.peers.arrowcpp.balanced
import dev.arrowdevice.peers.arrowcpp.isBeyondCpp
import dev.arrowdevice.peers.arrowcpp.toCpp
import dev.arrowdevice.peers.arrowcpp.toJvm
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.property.arbitrary.filter
import io.kotest.property.checkAll
import kotlin.random.Random

private val shapes = BatchShape.arb(maxDepth = 2).filter { !isBeyondCpp(it.schema) }

/** What we make of random arrays is valid for Arrow C++, and is what its compute functions make of them. */
class ArrowCppOperationsTest :
    FunSpec({
        val loaded = ArrowCpp.whyUnavailable() == null

        test("filter is the function filter of Arrow C++").config(enabled = loaded) {
            compare("filter") { column, values, action ->
                sliced(ArrowType.BOOL, mask(Random(values.size), values.size), true).use { mask ->
                    action(column.filter(mask), listOf(column, mask))
                }
            }
        }

        test("take is the function take of Arrow C++").config(enabled = loaded) {
            compare("take") { column, values, action ->
                val random = Random(values.size)
                val indices = indices(random, values.size, canBeNull(column.type))
                sliced<Any>(INDEX_TYPES.random(random), indices, 0).use { action(column.take(it), listOf(column, it)) }
            }
        }

        test("dictionaryEncode is the function dictionary_encode of Arrow C++").config(enabled = loaded) {
            compare("dictionary_encode", least = 5) { column, _, action ->
                action(column.dictionaryEncode(), listOf(column))
            }
        }

        test("concat is Concatenate of Arrow C++").config(enabled = loaded) {
            compare("concat") { column, values, action ->
                column.slice(values.size / 3L, values.size / 2L).use { part ->
                    action(DeviceArray.concat(listOf(part, column, part)), listOf(part, column, part))
                }
            }
        }
    })

/** @param least the percentage of columns that C++ can do at least: some types it exchanges only */
private fun compare(
    function: String,
    least: Int = 40,
    operation: (ArrayView, List<Any?>, (DeviceArray, List<ArrayView>) -> Unit) -> Unit,
) {
    balanced {
        var all = 0
        var compared = 0
        kotlinx.coroutines.runBlocking {
            checkAll(iterations("operations", 1_000), shapes) { shape ->
                shape.forEachColumn { _, column, values ->
                    operation(column, values) { ours, arguments ->
                        all++
                        ours.use { if (isSame(function, it, arguments)) compared++ }
                    }
                }
            }
        }
        withClue("$compared of $all columns were compared") { compared * 100 / all shouldBeGreaterThan least }
    }
}

private fun isSame(
    function: String,
    ours: DeviceArray,
    arguments: List<ArrayView>,
): Boolean {
    ours.share().use { it.toCpp() }.use { it.validateFull() }
    val theirs = compute(function, arguments) ?: return false
    return theirs.use {
        if (!it.isValid()) return@use false
        it.toJvm().use { array -> withClue(function) { valuesOf(ours) shouldBe valuesOf(array) } }
        true
    }
}

private fun compute(
    function: String,
    arguments: List<ArrayView>,
): CppArray? {
    val inCpp = arguments.map { argument -> argument.share().use { it.toCpp() } }
    return try {
        if (function == "concat") {
            CppArrays.concatenate(inCpp)
        } else {
            CppArrays.compute(function, *inCpp.toTypedArray())
        }
    } catch (_: CppException) {
        null
    } finally {
        inCpp.forEach(CppArray::close)
    }
}
