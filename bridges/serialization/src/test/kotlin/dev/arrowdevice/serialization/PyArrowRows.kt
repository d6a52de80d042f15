package dev.arrowdevice.serialization

import dev.arrowdevice.RecordBatch

/** What the tests in Python call: objects to batches, and batches of pyarrow to objects. */
object PyArrowRows {
    private val drawings =
        listOf(
            UnionDrawing(1, Circle("c", 1.5), null, listOf(Dot)),
            UnionDrawing(2, Box("b", 2, Address("Ulm", null)), Dot, listOf()),
        )

    @JvmStatic
    fun random(seed: Long): RecordBatch = recordBatchOf(RandomRows(seed).rows(20))

    /** Whether a batch has the rows that [random] wrote. */
    @JvmStatic
    fun isRandom(
        seed: Long,
        batch: RecordBatch,
    ): Boolean = batch.toList<Everything>() == RandomRows(seed).rows(20)

    @JvmStatic
    fun unions(): RecordBatch = recordBatchOf(drawings)

    @JvmStatic
    fun areUnions(batch: RecordBatch): Boolean = batch.toList<UnionDrawing>() == drawings

    @JvmStatic
    fun drawings(): RecordBatch = recordBatchOf(drawings.map { Drawing(it.id, it.shape, it.maybe, it.shapes) })

    /** The orders of a batch, as text. */
    @JvmStatic
    fun orders(batch: RecordBatch): String = batch.toList<Order>().toString()

    /** The items of a batch, as text. */
    @JvmStatic
    fun items(batch: RecordBatch): String = batch.toList<Item>().toString()
}
