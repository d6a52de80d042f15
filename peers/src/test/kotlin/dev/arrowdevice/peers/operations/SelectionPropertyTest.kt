package dev.arrowdevice.peers.operations

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import io.kotest.core.spec.style.FunSpec
import io.kotest.property.Arb
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.checkAll
import kotlin.random.Random

/** Arrays with more elements than are walked over at once, of types that nest little. */
private val large: Arb<BatchShape> =
    arbitrary { source ->
        val random = source.random
        BatchShape(List(2) { random.nextLong() }, random.nextInt(900, 5_000), random.nextInt(2), true)
    }

/** Selected elements of arrays of every type, with offsets and nulls, are those that the values say. */
class SelectionPropertyTest :
    FunSpec({
        extension(PeerBalance)

        listOf("small" to BatchShape.arb(), "large" to large).forEach { (name, shapes) ->
            val times = if (name == "small") 1_500 else 150

            test("filter keeps the elements of $name arrays for which a mask is true") {
                checkAll(iterations("operations", times), shapes) { shape ->
                    shape.forEachColumn { _, column, values ->
                        val mask = mask(Random(shape.rowCount + 1), values.size)
                        val expected = values.filterIndexed { i, _ -> mask[i] == true }
                        sliced(ArrowType.BOOL, mask, true).use { column.filter(it) }.use {
                            it.shouldHave(expected, "filter")
                        }
                        column.filter { index -> mask[index.toInt()] == true }.use {
                            it.shouldHave(expected, "filter by a predicate")
                        }
                    }
                }
            }

            test("take has the elements of $name arrays in the order of the indices, and nulls for null ones") {
                checkAll(iterations("operations", times), shapes) { shape ->
                    val random = Random(shape.rowCount + 2)
                    shape.forEachColumn { field, column, values ->
                        val indices = indices(random, values.size, canBeNull(field.type()))
                        if (!(isNarrow(field.type()) && indices.size > Byte.MAX_VALUE)) {
                            val types = INDEX_TYPES.drop(if (values.size > Byte.MAX_VALUE) 2 else 0)
                            sliced<Any>(types.random(random), indices, 0).use { column.take(it) }.use {
                                it.shouldHave(indices.map { index -> index?.let(values::get) }, "take")
                            }
                        }
                    }
                }
            }

            test("concat has the elements of $name arrays, one after the other") {
                checkAll(iterations("operations", times), shapes) { shape ->
                    val random = Random(shape.rowCount + 3)
                    shape.forEachColumn { _, column, values ->
                        val cuts = listOf(0, random.nextInt(values.size + 1), random.nextInt(values.size + 1)).sorted()
                        val ends = cuts.drop(1) + values.size
                        val parts = cuts.zip(ends).shuffled(random)
                        val slices = parts.map { (from, to) -> column.slice(from.toLong(), (to - from).toLong()) }
                        DeviceArray.concat(slices).use {
                            it.shouldHave(parts.flatMap { (from, to) -> values.subList(from, to) }, "concat")
                        }
                        slices.forEach(DeviceArray::close)
                    }
                }
            }
        }
    })
