package dev.arrowdevice.serialization.internal

import dev.arrowdevice.RecordBatch
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.SerializationException
import kotlinx.serialization.modules.SerializersModule

/** Reads all rows of a batch. */
internal fun <T : Any> readRows(
    plan: BatchPlan,
    deserializer: DeserializationStrategy<T>,
    batch: RecordBatch,
    module: SerializersModule,
): List<T> =
    batch.borrow { reader ->
        val count = Math.toIntExact(reader.length)
        val rows = ArrayList<T>(count)
        val source = sourceOf(plan.rows, reader, module)
        for (row in 0 until count) {
            source.row = row.toLong()
            try {
                rows.add(source.read(deserializer))
            } catch (e: RuntimeException) {
                // Of a null, of a value that the class can't hold, or of the constructor.
                throw failed(plan, source, row, e)
            }
        }
        rows
    }

private fun failed(
    plan: BatchPlan,
    source: ValueSource,
    row: Int,
    cause: RuntimeException,
): SerializationException {
    val reason = if (cause is IllegalStateException) source.last().nullText() ?: cause.message else cause.message
    return SerializationException("${Path.nameOf(plan.root)}${source.place()}, row $row: $reason", cause)
}
