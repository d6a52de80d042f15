package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.TypeId
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.RandomSource
import io.kotest.property.checkAll

/** Random batches are read as what was put into them, and give their memory back. */
class ArbitraryBatchTest :
    FunSpec({
        test("a random batch has the values that it was made of, whole and in slices") {
            val buffers = ArrowCounters.now().hostBuffers()
            checkAll(iterations("random", 500), BatchShape.arb()) { shape ->
                val made = shape.build()
                made.batch.use { batch ->
                    shape.schema.fields().indices.forEach { i ->
                        withClue("column $i") { valuesOf(batch.column(i)) shouldBe made.values[i] }
                        withClue("a slice of column $i") { sliceReads(batch.column(i), made.values[i]) }
                    }
                }
            }
            ArrowCounters.now().hostBuffers() shouldBe buffers
        }

        test("random schemas reach every type, as a column and within other types") {
            val columns = mutableSetOf<TypeId>()
            val nested = mutableSetOf<TypeId>()
            BatchShape.arb().samples(RandomSource.seeded(1)).take(3_000).forEach { sample ->
                sample.value.schema
                    .fields()
                    .forEach { columns.add(it.type().id()).also { _ -> collect(it.type(), nested) } }
            }
            columns shouldBe TypeId.entries.toSet()
            nested shouldBe TypeId.entries.toSet()
        }
    })

private fun collect(
    type: ArrowType,
    found: MutableSet<TypeId>,
) {
    val storage = type.storageType()
    val inner = storage.children().map { it.type() } + listOfNotNull((storage as? DictionaryType)?.valueType())
    inner.forEach {
        found += it.id()
        collect(it, found)
    }
}

private fun sliceReads(
    column: ArrayView,
    values: List<Any?>,
) {
    val from = values.size / 3
    val to = values.size - values.size / 4
    column.slice(from.toLong(), (to - from).toLong()).use { valuesOf(it) shouldBe values.subList(from, to) }
}
