package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrayView
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.OwnedArrays
import io.kotest.property.Arb
import io.kotest.property.RandomSource
import io.kotest.property.Shrinker
import io.kotest.property.arbitrary.arbitrary
import kotlin.random.Random

/**
 * The recipe of a random batch. The same shape always makes the same batch, and a smaller shape a smaller one, so that
 * a failure can be shrunk to a batch that a person can read.
 *
 * @param columnSeeds a seed for type and content of each column
 * @param depth how deep types are nested
 * @param unusual whether arrays have offsets, bitmaps without nulls, unused memory and so on
 */
data class BatchShape(
    val columnSeeds: List<Long>,
    val rowCount: Int,
    val depth: Int,
    val unusual: Boolean,
) {
    private val fields = columnSeeds.mapIndexed { i, seed -> ArbitraryTypes(Random(seed)).field("column $i", depth) }

    val schema: Schema =
        Schema(
            fields,
            dev.arrowdevice.Metadata
                .of("made", "at random"),
        )

    /** Makes the batch; the caller closes it. */
    fun build(): ArbitraryBatch {
        val columns = fields.zip(columnSeeds) { field, seed -> column(field, seed) }
        val arrays = columns.map { it.first }
        return ArbitraryBatch(RecordBatch.of(schema, arrays, rowCount.toLong()), columns.map { it.second })
    }

    private fun column(
        field: Field,
        seed: Long,
    ): Pair<DeviceArray, List<Any?>> {
        val memory = Memory()
        val layouts = if (unusual) Layouts.UNUSUAL else Layouts.PLAIN
        val generated = ArbitraryArrays(Random(seed + 1), memory, layouts).array(field, rowCount)
        return OwnedArrays.of(generated.data, memory.owner()) to generated.values.map(::comparable)
    }

    override fun toString(): String =
        "$rowCount rows, columnSeeds=$columnSeeds, depth=$depth, unusual=$unusual, $schema"

    companion object {
        /** Shapes of all sizes up to some columns and some dozen rows. */
        fun arb(maxDepth: Int = 4): Arb<BatchShape> = arbitrary(shrinker) { source -> random(source, maxDepth) }

        private fun random(
            source: RandomSource,
            maxDepth: Int,
        ): BatchShape {
            val random = source.random
            val rowCount = if (random.nextInt(8) == 0) 0 else random.nextInt(1, 40)
            return BatchShape(
                List(random.nextInt(5)) { random.nextLong() },
                rowCount,
                random.nextInt(maxDepth + 1),
                random.nextInt(4) > 0,
            )
        }

        private val shrinker =
            Shrinker<BatchShape> { shape ->
                buildList {
                    shape.columnSeeds.indices.forEach {
                        add(shape.copy(columnSeeds = shape.columnSeeds.toMutableList().apply { removeAt(it) }))
                    }
                    if (shape.rowCount > 0) add(shape.copy(rowCount = shape.rowCount / 2))
                    if (shape.rowCount > 1) add(shape.copy(rowCount = shape.rowCount - 1))
                    if (shape.depth > 0) add(shape.copy(depth = shape.depth - 1))
                    if (shape.unusual) add(shape.copy(unusual = false))
                }
            }
    }
}

/** A batch and what its columns must read as. */
class ArbitraryBatch(
    val batch: RecordBatch,
    val values: List<List<Any?>>,
) {
    /** The expected values of a slice of the rows. */
    fun cut(
        from: Long,
        length: Long,
    ): List<List<Any?>> = values.map { it.subList(from.toInt(), (from + length).toInt()) }
}

/** The values of an array as objects with an `equals` of their own, byte arrays included. */
fun valuesOf(array: ArrayView): List<Any?> =
    array.borrow { reader -> List(reader.length.toInt()) { comparable(reader.getObject(it.toLong())) } }

/** A value as one that is equal to whatever is the same value. */
internal fun comparable(value: Any?): Any? =
    when (value) {
        is ByteArray -> "bytes " + value.joinToString(",")

        // As text NaN is itself, and the two zeros differ.
        is Float, is Double -> value.toString()

        is List<*> -> value.map(::comparable)

        is Map<*, *> -> value.mapValues { comparable(it.value) }

        is Map.Entry<*, *> -> comparable(value.key) to comparable(value.value)

        else -> value
    }
